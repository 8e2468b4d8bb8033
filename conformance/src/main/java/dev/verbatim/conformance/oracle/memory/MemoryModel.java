// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.memory;

import dev.verbatim.conformance.oracle.key.QueuePairState;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two views of memory: of programs, and of one device, which sees what it accepted before programs do. Addresses are of
 * the process, so all devices share what programs see.
 */
public final class MemoryModel {

    /** More held pieces than any device keeps: the oldest are forgotten then. */
    private static final int MOST_PIECES = 1 << 14;

    private final String device;
    private final ShadowMemory programs;
    private final boolean programsTraced;
    private final Findings findings;
    private final List<PendingPlacement> held = new ArrayList<>();

    public MemoryModel(String device, ShadowMemory programs, boolean programsTraced, Findings findings) {
        this.device = device;
        this.programs = programs;
        this.programsTraced = programsTraced;
        this.findings = findings;
    }

    /** The device read these bytes. */
    public void deviceRead(long address, ByteBuffer data, String what, Object who, long position) {
        if (!isJudged(address, data.remaining())) {
            return;
        }
        findings.checked(Check.DEVICE_VIEW);
        if (!isHeld(address, data.remaining())) {
            judge(Check.DEVICE_VIEW, programs.compare(address, data), address, data, what, who, position);
            return;
        }
        byte[] view = new byte[data.remaining()];
        boolean known = deviceView(address, view);
        int differs = data.mismatch(ByteBuffer.wrap(view));
        if (differs >= 0 && !known) {
            findings.notJudged(Gap.FIRST_SIGHT);
        } else {
            judge(Check.DEVICE_VIEW, differs < 0 ? 0 : -1 - differs, address, data, what, who, position);
        }
    }

    /** A program, or the device in its name, read these bytes. */
    public void programRead(long address, ByteBuffer data, String what, Object who, long position) {
        if (!isJudged(address, data.remaining())) {
            return;
        }
        findings.checked(Check.PROGRAM_VIEW);
        judge(Check.PROGRAM_VIEW, programs.compare(address, data), address, data, what, who, position);
    }

    /** Whether it can be known what is seen there. */
    public boolean isJudged(long address, long lengthBytes) {
        boolean isJudged = programs.isCoherent(address, lengthBytes);
        if (!isJudged) {
            findings.notJudged(Gap.SEVERAL_VIEWS);
        }
        return isJudged;
    }

    private void judge(
            Check check, int compared, long address, ByteBuffer data, String what, Object who, long position) {
        if (compared > 0) {
            findings.notJudged(Gap.FIRST_SIGHT);
        } else if (compared < 0 && !programsTraced) {
            findings.notJudged(Gap.CHANGED_OUTSIDE);
            programs.write(address, data);
        } else if (compared < 0) {
            int index = -1 - compared;
            byte[] there = new byte[1];
            programs.read(address + index, there);
            PendingPlacement newest = newestAt(address + index);
            String expected = newest == null || check == Check.PROGRAM_VIEW
                    ? Text.octet(there[0])
                    : Text.octet(newest.data()
                                    .get(newest.data().position() + (int) (address + index - newest.address())))
                            + " of #" + newest.position();
            findings.violated(
                    check,
                    Text.of(
                            "%s %s saw %s at 0x%x, where %s stands",
                            what, who, Text.octet(data.get(data.position() + index)), address + index, expected),
                    position,
                    newest == null ? -1 : newest.position());
            if (!isHeld(address, data.remaining())) {
                programs.write(address, data);
            }
        }
    }

    private @Nullable PendingPlacement newestAt(long address) {
        for (int i = held.size() - 1; i >= 0; i--) {
            if (held.get(i).covers(address, 1)) {
                return held.get(i);
            }
        }
        return null;
    }

    private boolean isHeld(long address, int count) {
        for (PendingPlacement piece : held) {
            if (piece.overlaps(address, count)) {
                return true;
            }
        }
        return false;
    }

    /** Copies what the device sees; returns whether all of it is known. */
    public boolean deviceView(long address, byte[] target) {
        boolean known = programs.read(address, target);
        boolean covered = false;
        for (PendingPlacement piece : held) {
            if (piece.overlaps(address, target.length)) {
                piece.copyOnto(target, address);
                covered |= piece.covers(address, target.length);
            }
        }
        return known || covered;
    }

    /** A program stored these bytes. */
    public void programWrote(long address, ByteBuffer data) {
        programs.write(address, data);
    }

    /** The device placed these bytes and programs see them at once: nothing older of these bytes may be shown later. */
    public void deviceWrote(long address, ByteBuffer data, String what, Object who, long position) {
        boolean isCoherent = programs.isCoherent(address, data.remaining());
        for (PendingPlacement piece : held) {
            if (isCoherent && piece.overlaps(address, data.remaining())) {
                findings.violated(
                        Check.PROGRAM_VIEW,
                        Text.of(
                                "%s %s is visible at 0x%x before bytes that were accepted there at #%d",
                                what, who, address, piece.position()),
                        piece.position(),
                        position);
            }
        }
        programs.write(address, data);
    }

    public void hold(PendingPlacement piece) {
        held.add(piece);
        if (held.size() > MOST_PIECES) {
            findings.notJudged(Gap.FORGOTTEN);
            PendingPlacement oldest = held.remove(0);
            programs.write(oldest.address(), oldest.data());
        }
    }

    /**
     * Programs see bytes that were held; returns what they were of, or null if nothing like them was held. The queue pair may
     * be gone by then.
     */
    @Nullable
    public PendingPlacement shown(QueuePairState queuePair, int psn, long address, ByteBuffer data, long position) {
        int count = data.remaining();
        for (int i = 0; i < held.size(); i++) {
            PendingPlacement piece = held.get(i);
            if (piece.psn() == psn
                    && piece.queuePair().number() == queuePair.number()
                    && piece.covers(address, count)) {
                show(i, piece, address, data, position);
                return piece;
            }
        }
        return null;
    }

    private void show(int index, PendingPlacement piece, long address, ByteBuffer data, long position) {
        int count = data.remaining();
        findings.checked(Check.PROGRAM_VIEW);
        if (index > 0) {
            findings.seen(WeakBehaviour.PLACED_OUT_OF_ORDER);
            if (findings.wantsExample(WeakBehaviour.PLACED_OUT_OF_ORDER)) {
                findings.example(
                        WeakBehaviour.PLACED_OUT_OF_ORDER,
                        Text.of(
                                "#%d shows bytes of #%d before those of #%d",
                                position, piece.position(), held.get(0).position()));
            }
        }
        boolean isCoherent = programs.isCoherent(address, count);
        for (PendingPlacement older : held.subList(0, index)) {
            if (isCoherent && older.overlaps(address, count)) {
                findings.violated(
                        Check.PROGRAM_VIEW,
                        Text.of(
                                "bytes at 0x%x on %s are shown before those that were accepted there earlier",
                                address, device),
                        older.position(),
                        piece.position(),
                        position);
            }
        }
        int offset = (int) (address - piece.address());
        if (data.mismatch(piece.data().slice(piece.data().position() + offset, count)) >= 0) {
            findings.violated(
                    Check.PROGRAM_VIEW,
                    Text.of("bytes shown at 0x%x on %s are not those that were accepted there", address, device),
                    piece.position(),
                    position);
        }
        programs.write(address, data);
        held.remove(index);
        if (offset + count < piece.lengthBytes()) {
            held.add(index, piece.part(offset + count, piece.lengthBytes() - offset - count));
        }
        if (offset > 0) {
            held.add(index, piece.part(0, offset));
        }
    }

    /** What is held still. */
    public List<PendingPlacement> held() {
        return held;
    }
}

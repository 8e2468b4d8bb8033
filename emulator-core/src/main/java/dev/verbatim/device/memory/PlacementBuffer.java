// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.wire.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that the device has accepted and programs do not see yet (N3, P(i) &gt;= X(i) of F.2), oldest first.
 *
 * <p>They become visible one by one when the lane has it so, those that overlap in the order in which they were accepted. The
 * device itself reads through the buffer, and shows what must be visible before it makes a promise: before a completion
 * (ORD-31 a, b; ORD-15), before a later READ or atomic of the same queue pair (ORD-31 c, d), before a revocation ends
 * (MR-54). Where the lane defers no placement the buffer stays empty and costs a look at its size.
 */
public final class PlacementBuffer {

    /** How much is held at most; the oldest is shown when there is more. */
    private static final int MOST_PIECES = 64;

    /** From here on it counts who fills it first. */
    private static final int NEARLY_FULL_PIECES = MOST_PIECES / 4;

    /** Longer runs are split into this many parts, so that their number stays small. */
    private static final int MOST_PARTS = 8;

    private final DeviceContext device;
    private final List<HeldBytes> held = new ArrayList<>();
    private long accepted;

    PlacementBuffer(DeviceContext device) {
        this.device = device;
    }

    /** Whether placed bytes may be held at all. */
    public boolean holds() {
        return device.lane().defers(ChoicePoint.PLACEMENT);
    }

    /** Takes bytes that are accepted now: in one piece, or, if it is chosen so, in several that may be shown in any order. */
    void hold(SgeAccess owner, MemoryEffect effect, EmulatedMemoryRegion region, long index, int psn, byte[] data) {
        long address = region.memoryAddressAt(index);
        boolean split = AlignedWords.of(address, data.length) > 1
                && device.lane().choices().choose(ChoicePoint.PLACEMENT_SPLIT, 2) == 1;
        int from = 0;
        for (int end : AlignedWords.cut(address, data.length, split ? MOST_PARTS : 1)) {
            byte[] piece = Arrays.copyOfRange(data, from, end);
            add(new HeldBytes(this, owner, effect, region, index + from, psn, piece, accepted++));
            from = end;
        }
        if (held.size() > NEARLY_FULL_PIECES) {
            device.lane().touched(device.name(), DevicePart.HELD_BYTES);
        }
        while (held.size() > MOST_PIECES) {
            show(held.get(0));
        }
    }

    private void add(HeldBytes bytes) {
        for (HeldBytes older : held) {
            if (older.overlaps(bytes.address(), bytes.lengthBytes())) {
                bytes.olderWere(1);
            }
        }
        held.add(bytes);
        device.lane().defer(bytes);
    }

    /** Marks the present: what is accepted later is not meant by {@link #showBefore}. */
    long mark() {
        return accepted;
    }

    /** The piece is visible now. */
    void shown(HeldBytes bytes) {
        held.remove(bytes);
        device.lane().heldShown(device.name(), bytes.qpNumber(), bytes.isReturned(), bytes.piece());
        for (HeldBytes younger : held) {
            if (younger.number() > bytes.number() && younger.overlaps(bytes.address(), bytes.lengthBytes())) {
                younger.olderWere(-1);
            }
        }
    }

    /** Where bytes may be held: shows what a queue pair accepted before the mark, what peers placed there, or what its own requests returned. */
    void showBefore(long mark, SgeAccess owner, boolean returned) {
        // Whether there is something or not: who shows it first leaves nothing to others.
        device.lane().heldLookedAt(device.name(), owner.qpNumber(), returned, owner.pieces(returned));
        if (!held.isEmpty()) {
            showThose(bytes -> bytes.number() < mark && bytes.isOf(owner) && bytes.isReturned() == returned);
        }
    }

    /** Shows everything that has bytes of the range of memory. */
    void showRange(long address, long lengthBytes) {
        if (holds()) {
            device.lane().memoryLookedAt(address, lengthBytes);
        }
        if (!held.isEmpty()) {
            showThose(bytes -> bytes.overlaps(address, lengthBytes));
        }
    }

    /** Shows everything of a region. */
    @SuppressWarnings("ReferenceEquality") // a region is its identity
    void showAll(EmulatedMemoryRegion region) {
        if (!held.isEmpty()) {
            showThose(bytes -> bytes.region() == region);
        }
    }

    private void showThose(Predicate<HeldBytes> meant) {
        for (HeldBytes bytes : List.copyOf(held)) {
            if (meant.test(bytes)) {
                showWithOlder(bytes);
            }
        }
    }

    /** Older pieces of the same bytes first, whoever they are of. */
    private void showWithOlder(HeldBytes bytes) {
        if (!bytes.isNext()) {
            showThose(older -> older.number() < bytes.number() && older.overlaps(bytes.address(), bytes.lengthBytes()));
        }
        show(bytes);
    }

    private void show(HeldBytes bytes) {
        if (held.contains(bytes)) {
            device.lane().settle(bytes);
            bytes.happen();
        }
    }

    /** What the device sees in a range of memory that has held bytes; null if it has none, and the memory itself will do. */
    byte @Nullable [] readThrough(EmulatedMemoryRegion region, long index, int lengthBytes) {
        if (held.isEmpty()) {
            return null;
        }
        long address = region.memory().address() + index;
        byte[] seen = null;
        for (HeldBytes bytes : held) {
            if (bytes.overlaps(address, lengthBytes)) {
                if (seen == null) {
                    seen = new byte[lengthBytes];
                    region.bufferAt(index).get(region.at(index), seen);
                }
                bytes.copyOnto(seen, address);
            }
        }
        return seen;
    }

    /** What is written into memory at last. */
    static void write(EmulatedMemoryRegion region, long index, byte[] data) {
        ByteBuffer source = ByteBuffer.wrap(data);
        Payload payload = new Payload();
        payload.add(source, 0, data.length);
        Placement.write(region.bufferAt(index), region.at(index), payload, 0, data.length);
    }
}

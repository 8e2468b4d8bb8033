// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
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

    /** Null where all memory is coherent host memory, on one path. */
    private final @Nullable AdapterPaths paths;

    private long accepted;

    PlacementBuffer(DeviceContext device) {
        this.device = device;
        MemorySystem system = device.memorySystem();
        this.paths = system == null ? null : new AdapterPaths(system, device.name(), this::showDomain);
    }

    /** Whether what the device sees may differ from what memory holds. */
    boolean mayDiffer() {
        return paths != null || holds();
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
            MemoryDomain domain = paths == null ? null : paths.domainOf(address + from);
            add(new HeldBytes(this, owner, effect, region, index + from, psn, piece, accepted++, domain));
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
        pathTouched(bytes.domain());
        for (HeldBytes older : held) {
            if (waitsFor(bytes, older)) {
                bytes.olderWere(1);
            }
        }
        held.add(bytes);
        device.lane().defer(bytes);
    }

    /**
     * Whether a piece becomes visible only after an older one: if they overlap, and where a path keeps the order also if they are on one
     * path; but not if it is in a region with relaxed ordering, which gives up the order of WRITEs to the same bytes, too (MR-71).
     */
    private boolean waitsFor(HeldBytes bytes, HeldBytes older) {
        if (bytes.isRelaxed()) {
            if (paths != null) {
                paths.relaxed();
            }
            return false;
        }
        return older.overlaps(bytes.address(), bytes.lengthBytes())
                || (paths != null && bytes.isOnPathOf(older) && paths.isInOrder());
    }

    /** Whether anybody uses what is told of the order of events. */
    private boolean isWeighed() {
        return device.lane().weighsFootprints();
    }

    private void pathTouched(@Nullable MemoryDomain domain) {
        if (paths != null && domain != null) {
            paths.touched(domain);
        }
    }

    /** The piece becomes visible by itself: if it keeps the order, behind older ones of the same bytes, however they became so. */
    void showsAlone(HeldBytes bytes) {
        if (!isWeighed()) {
            return;
        }
        if (paths == null && !bytes.isUnordered()) {
            device.lane().happensUnforced(bytes.source(), DevicePart.PLACEMENTS, bytes.piece(), bytes.piece() + 1L);
        }
        device.lane().happensUnforced(device.name(), DevicePart.PLACEMENTS, bytes.address(), bytes.end());
        if (!bytes.isRelaxed()) {
            device.lane().enables(bytes.source(), DevicePart.SHOWN, bytes.address(), bytes.end());
            device.lane().waited(bytes.source(), DevicePart.SHOWN_EARLY, bytes.address(), bytes.end());
        }
    }

    /** The piece is visible now. */
    void shown(HeldBytes bytes) {
        held.remove(bytes);
        pathTouched(bytes.domain());
        device.lane().heldShown(device.name(), bytes.qpNumber(), bytes.isReturned(), bytes.piece());
        for (HeldBytes younger : held) {
            if (younger.number() > bytes.number() && waitsFor(younger, bytes)) {
                younger.olderWere(-1);
            }
        }
    }

    /**
     * Where bytes may be held: a completion shows what a queue pair accepted before the mark, what peers placed there, or what its own
     * requests returned, as far as completions cover it.
     *
     * @param mark how many pieces these are at most
     */
    void showBefore(long mark, SgeAccess owner, boolean returned) {
        lookAtHeld(owner, returned, Math.min(mark, owner.pieces(returned)));
        if (!held.isEmpty()) {
            showThose(bytes -> bytes.piece() < mark
                    && bytes.isOf(owner)
                    && bytes.isReturned() == returned
                    && isCovered(bytes.domain()));
        }
    }

    private boolean isCovered(@Nullable MemoryDomain domain) {
        return paths == null || domain == null || paths.isCoveredByCompletions(domain);
    }

    /**
     * Whether there is something or not: who shows it first leaves nothing to others. So many pieces are shown now, except for some that do not
     * {@linkplain #showsAlone tell} of themselves.
     */
    private void lookAtHeld(SgeAccess owner, boolean returned, long pieces) {
        device.lane().heldLookedAt(device.name(), owner.qpNumber(), returned, pieces);
        if (isWeighed()) {
            device.lane().forces(owner.source(returned), DevicePart.PLACEMENTS, 0, pieces);
        }
    }

    /** Shows everything of a queue pair, of one direction. */
    void showAll(SgeAccess owner, boolean returned) {
        lookAtHeld(owner, returned, owner.pieces(returned));
        if (!held.isEmpty()) {
            showThose(bytes -> bytes.isOf(owner) && bytes.isReturned() == returned);
        }
    }

    /**
     * Before a READ of a region: shows what its queue pair placed (ORD-31 d), or, where a path is known to bring it, what the device
     * accepted for the same domain through any queue pair (VIS-05). It does not wait for unordered bytes.
     *
     * @param region null if the READ is of nothing
     */
    void showBeforeRead(SgeAccess owner, @Nullable EmulatedMemoryRegion region) {
        AdapterPaths known = paths;
        if (known == null) {
            showBeforeOnHost(owner);
            return;
        }
        MemoryDomain domain =
                known.domainOf(region == null ? 0 : region.memory().address());
        boolean passesRelaxed = known.readPassesRelaxed();
        known.touched(domain);
        showThose(bytes ->
                isBefore(bytes, owner, domain, known) && !bytes.isUnordered() && !(passesRelaxed && bytes.isRelaxed()));
        known.read(domain);
    }

    private void showBeforeOnHost(SgeAccess owner) {
        lookAtHeld(owner, false, owner.pieces(false));
        if (!held.isEmpty()) {
            showThose(bytes -> bytes.isOf(owner) && !bytes.isReturned() && !bytes.isUnordered());
        }
    }

    /** The same before an atomic, which may pass relaxed bytes if its region is relaxed (VIS-13); ORD-31 c. */
    void showBeforeAtomic(SgeAccess owner, EmulatedMemoryRegion region, long address) {
        AdapterPaths known = paths;
        if (known == null) {
            showBefore(owner.pieces(false), owner, false);
        } else {
            MemoryDomain domain = known.domainOf(address);
            boolean passesRelaxed = known.atomicPassesRelaxed() && region.isRelaxed();
            known.touched(domain);
            showThose(bytes -> isBefore(bytes, owner, domain, known) && !(passesRelaxed && bytes.isRelaxed()));
        }
        showRange(address, Long.BYTES);
    }

    /** Whether a READ or atomic of that queue pair and domain finds the bytes there, unless they are relaxed. */
    private static boolean isBefore(HeldBytes bytes, SgeAccess owner, MemoryDomain domain, AdapterPaths known) {
        boolean isMeant = known.readsCoverAllQueuePairs(domain) || (bytes.isOf(owner) && !bytes.isReturned());
        return isMeant && domain.equals(bytes.domain());
    }

    /** Shows everything for a domain. */
    private void showDomain(MemoryDomain domain) {
        pathTouched(domain);
        showThose(bytes -> domain.equals(bytes.domain()));
    }

    /** Bytes are about to be written into memory. */
    void arriving(EmulatedMemoryRegion region, long index, long lengthBytes) {
        if (paths != null) {
            paths.arriving(region.memoryAddressAt(index), lengthBytes);
        }
    }

    /** A FLUSH: shows everything that has bytes of the range, to all observers or for good. */
    void flush(long address, long lengthBytes, boolean persistent) {
        showRange(address, lengthBytes);
        if (paths != null) {
            paths.flushed(address, lengthBytes, persistent);
        }
    }

    /** Shows everything that has bytes of the range of memory. */
    void showRange(long address, long lengthBytes) {
        if (holds()) {
            device.lane().memoryLookedAt(address, lengthBytes);
            device.lane().forces(device.name(), DevicePart.PLACEMENTS, address, address + lengthBytes);
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
            showThose(older -> older.number() < bytes.number() && waitsFor(bytes, older));
        }
        show(bytes);
    }

    private void show(HeldBytes bytes) {
        if (held.contains(bytes)) {
            device.lane().settle(bytes);
            if (!bytes.isRelaxed() && isWeighed()) {
                device.lane().enables(bytes.source(), DevicePart.SHOWN_EARLY, bytes.address(), bytes.end());
            }
            bytes.showNow();
        }
    }

    /** What the device sees in a range of memory; null if the memory itself will do. */
    byte @Nullable [] readThrough(EmulatedMemoryRegion region, long index, int lengthBytes) {
        long address = region.memory().address() + index;
        byte[] seen = null;
        if (paths != null || region.isRelaxed()) {
            // It reads what is at home, and others bring it there; or what is held, of which the newest need not be
            // shown last.
            device.lane().memoryLookedAt(address, lengthBytes);
        }
        if (paths != null) {
            seen = paths.look(address, lengthBytes);
        }
        for (HeldBytes bytes : held) {
            if (!bytes.isUnordered() && bytes.overlaps(address, lengthBytes)) {
                if (seen == null) {
                    seen = new byte[lengthBytes];
                    region.bufferAt(index).get(region.at(index), seen);
                }
                if (paths != null) {
                    paths.readThrough();
                }
                bytes.copyOnto(seen, address);
            }
        }
        return seen;
    }

    /** What is written into memory at last. */
    static void write(EmulatedMemoryRegion region, long index, byte[] data) {
        Placement.write(region.bufferAt(index), region.at(index), ByteBuffer.wrap(data), 0, data.length);
    }
}

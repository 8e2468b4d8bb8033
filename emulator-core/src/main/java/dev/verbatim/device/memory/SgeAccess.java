// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.Allowed;
import dev.verbatim.device.context.Decision;
import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.context.QpTrace;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.operation.Atomic;
import dev.verbatim.operation.Operation;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.MemoryFault;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Payload;
import dev.verbatim.wire.PlainRequest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair does to registered memory: the elements of its requests are checked, gathered from and scattered to, and what
 * remote keys name is read, written and flushed.
 */
public final class SgeAccess {

    private final KeyTable keys;
    private final QpTrace trace;
    private final PlacementBuffer placements;
    private final boolean placementsHeld;
    private final boolean mayDiffer;
    private final boolean inspected;
    private final boolean receivesCheckedWhole;
    private final Consumer<Throwable> stepFailed;
    private int placedPieces;
    private int returnedPieces;

    /** The only element of this list was allowed to be read, and is in this region; until it is gathered. */
    private @Nullable SgeList judgedList;

    private @Nullable EmulatedMemoryRegion judgedRegion;

    /**
     * Of a queue pair of that device.
     *
     * @param stepFailed takes what is thrown while held bytes are shown
     */
    public SgeAccess(DeviceMemory memory, QpTrace trace, Consumer<Throwable> stepFailed) {
        this.keys = memory.keys();
        this.trace = trace;
        this.inspected = trace.inspector() != null;
        this.placements = memory.placements();
        this.placementsHeld = placements.holds();
        this.mayDiffer = placements.mayDiffer();
        this.receivesCheckedWhole = trace.device().profile().strictRecvSge();
        this.stepFailed = stepFailed;
    }

    /** A step threw something while bytes were shown that had been held. On the lane. */
    void stepFailed(Throwable thrown) {
        stepFailed.accept(thrown);
    }

    QpTrace trace() {
        return trace;
    }

    /** Number of its queue pair. */
    int qpNumber() {
        return trace.number();
    }

    /** Counts the pieces of memory that were held: those that peers placed, and those that requests of the queue pair returned. */
    int nextPiece(boolean returned) {
        return returned ? returnedPieces++ : placedPieces++;
    }

    /** Names the pieces that peers placed, or those that were returned. */
    String source(boolean returned) {
        return trace + (returned ? " returned" : "");
    }

    /** How many there were up to now; marks the present for {@link #showPlaced} or {@link #showReturned}. */
    public int pieces(boolean returned) {
        return returned ? returnedPieces : placedPieces;
    }

    /** Checks a receive that a message begins to fill, as far as the profile has it that not only the bytes it fills count; null if it may be filled. */
    public @Nullable Denial checkReceive(SgeList elements) {
        if (!receivesCheckedWhole) {
            return null;
        }
        trace.decided(Rule.MR_43);
        return check(elements, AccessOperation.LOCAL_WRITE);
    }

    /** Checks every element of the list in full; null if all are allowed. */
    public @Nullable Denial check(SgeList elements, AccessOperation operation) {
        forgetJudged();
        int count = elements.count;
        if (count == 0) {
            trace.decided(Rule.MR_32);
        }
        for (int i = 0; i < count; i++) {
            int lkey = elements.lkeys[i];
            EmulatedMemoryRegion region = keys.byLocalKey(lkey);
            Denial denial = judge(region, elements.pd, operation, elements.addresses[i], elements.lengths[i], lkey);
            if (denial != null) {
                return denial;
            }
            if (count == 1 && operation == AccessOperation.LOCAL_READ) {
                judgedList = elements;
                judgedRegion = region;
            }
        }
        return null;
    }

    private @Nullable Denial judge(
            @Nullable EmulatedMemoryRegion region,
            PdIdentity pd,
            AccessOperation operation,
            long address,
            long lengthBytes,
            int lkey) {
        Decision decision = AccessDecision.local(keys, region, pd, operation, address, lengthBytes, lkey);
        if (decision instanceof Denial denial) {
            trace.decided(Rule.MR_40);
            return trace.localKeyRefused(lkey, denial);
        }
        if (decision instanceof Allowed allowed && allowed.rule != null) {
            trace.decided(allowed.rule);
        }
        return null;
    }

    /**
     * Adds the {@code count} bytes from {@code from} on to {@code payload}; null if all could be gathered.
     *
     * @param offset where in the packet they go
     */
    public @Nullable Denial gather(SgeList elements, long from, int count, int psn, int offset, Payload payload) {
        long skip = from;
        int left = count;
        for (int i = 0; left > 0; i++) {
            long length = elements.lengths[i];
            if (skip >= length) {
                skip -= length;
                continue;
            }
            int run = (int) Math.min(left, length - skip);
            long address = elements.addresses[i] + skip;
            int lkey = elements.lkeys[i];
            EmulatedMemoryRegion judged = judgedList == elements ? takeJudged() : null;
            Denial denial = gatherRun(judged, elements.pd, address, run, lkey, psn, offset + count - left, payload);
            if (denial != null) {
                return denial;
            }
            left -= run;
            skip = 0;
        }
        return null;
    }

    private @Nullable Denial gatherRun(
            @Nullable EmulatedMemoryRegion judged,
            PdIdentity pd,
            long address,
            int count,
            int lkey,
            int psn,
            int offset,
            Payload payload) {
        EmulatedMemoryRegion region = judged;
        if (region == null) {
            region = keys.byLocalKey(lkey);
            Denial denial = judge(region, pd, AccessOperation.LOCAL_READ, address, count, lkey);
            if (denial != null || region == null) {
                return denial;
            }
        } else {
            trace.decided(Rule.MR_10);
        }
        return addPiece(MemoryEffect.GATHERED, region, lkey, region.indexOf(address), count, psn, offset, payload);
    }

    /** The region in which the only element of the judged list is, if it is still registered; once. */
    private @Nullable EmulatedMemoryRegion takeJudged() {
        EmulatedMemoryRegion region = judgedRegion;
        forgetJudged();
        return region != null && region.registered ? region : null;
    }

    /** What was judged may never be gathered: its list may have other elements by the next time that it is judged. */
    private void forgetJudged() {
        judgedList = null;
        judgedRegion = null;
    }

    /** Has the request name the bytes of a list of one element that was just {@linkplain #check checked}; false if they are to be gathered. */
    public boolean show(SgeList elements, PlainRequest request) {
        EmulatedMemoryRegion region = judgedList == elements ? takeJudged() : null;
        return region != null && PlainAccess.show(region, region.indexOf(elements.addresses[0]), request);
    }

    /** Whether placed bytes may be held back from programs. */
    public boolean holdsPlacements() {
        return placementsHeld;
    }

    /** Where the parts end in which bytes may be gathered: elements are apart, and aligned words stay whole (ORD-35). */
    public int[] partsOf(SgeList elements, long from, int count) {
        int[] ends = {};
        long skip = from;
        int done = 0;
        for (int i = 0; done < count; i++) {
            long length = elements.lengths[i];
            if (skip >= length) {
                skip -= length;
                continue;
            }
            int run = (int) Math.min(count - done, length - skip);
            long address = elements.addresses[i] + skip;
            EmulatedMemoryRegion region = keys.byLocalKey(elements.lkeys[i]);
            // By a key that leads to nothing there is nothing to be torn.
            int[] parts = region == null
                    ? new int[] {run}
                    : AlignedWords.cut(region.memoryAddressAt(region.indexOf(address)), run);
            int known = ends.length;
            ends = known == 0 ? parts : Arrays.copyOf(ends, known + parts.length);
            for (int part = 0; known > 0 && part < parts.length; part++) {
                ends[known + part] = done + parts[part];
            }
            done += run;
            skip = 0;
        }
        return ends;
    }

    /** The same for what a peer reads, and may read (ORD-40). */
    public int[] partsOf(int rkey, long address, int count) {
        RemoteTarget target = keys.target(rkey);
        return target == null || count == 0
                ? new int[0]
                : AlignedWords.cut(target.region().memoryAddressAt(target.indexOf(address)), count);
    }

    /** One byte is read first: memory that was closed under the device is found out here, on the side it belongs to. */
    private @Nullable Denial addPiece(
            MemoryEffect effect,
            EmulatedMemoryRegion region,
            int key,
            long index,
            int count,
            int psn,
            int offset,
            Payload payload) {
        try {
            if (!region.isUsable(index, count, false)) {
                return unusable(region, index, count, false);
            }
            if (region.isNull()) {
                EmulatedMemoryRegion.addZeros(count, payload);
                trace.decided(Rule.MR_75);
                return null;
            }
            ByteBuffer buffer = region.bufferAt(index);
            int at = region.at(index);
            buffer.get(at);
            MemoryFault.raise();
            if (inspected) {
                trace.touching(effect, key, psn, region.memoryAddressAt(index), count);
            }
            byte[] held = mayDiffer ? placements.readThrough(region, index, count) : null;
            if (held == null) {
                payload.add(buffer, at, count);
                if (trace.isTraced()) {
                    trace.memory(effect, key, psn, region.memoryAddressAt(index), buffer, at, count, offset, false);
                }
            } else {
                ByteBuffer seen = ByteBuffer.wrap(held);
                payload.add(seen, 0, count);
                trace.memory(effect, key, psn, region.memoryAddressAt(index), seen, 0, count, offset, false);
            }
        } catch (RuntimeException | InternalError e) {
            return unusable(region, index, count, false, e);
        }
        return null;
    }

    /**
     * Writes the whole payload to the bytes from {@code from} on; null if all could be placed. The elements must have
     * room for it.
     *
     * @param effect whether a peer placed it, or a request returned it
     */
    public @Nullable Denial scatter(SgeList elements, long from, Payload payload, MemoryEffect effect, int psn) {
        long skip = from;
        int done = 0;
        for (int i = 0; done < payload.lengthBytes(); i++) {
            long length = elements.lengths[i];
            if (skip >= length) {
                skip -= length;
                continue;
            }
            int run = (int) Math.min(payload.lengthBytes() - done, length - skip);
            int lkey = elements.lkeys[i];
            long address = elements.addresses[i] + skip;
            EmulatedMemoryRegion region = keys.byLocalKey(lkey);
            Denial denial = judge(region, elements.pd, AccessOperation.LOCAL_WRITE, address, run, lkey);
            if (denial == null) {
                denial = place(effect, region, lkey, address, payload, done, run, psn);
            }
            if (denial != null) {
                return denial;
            }
            done += run;
            skip = 0;
        }
        return null;
    }

    /** Where bytes of a list of elements are, if they lie within one that may be written; whether {@code place} was set. */
    public boolean locate(SgeList elements, long from, int count, LandingPlace place) {
        long skip = from;
        int i = 0;
        while (i < elements.count && skip >= elements.lengths[i]) {
            skip -= elements.lengths[i];
            i++;
        }
        if (i == elements.count || count > elements.lengths[i] - skip) {
            return false;
        }
        long address = elements.addresses[i] + skip;
        int lkey = elements.lkeys[i];
        EmulatedMemoryRegion region = keys.byLocalKey(lkey);
        if (region == null
                || AccessDecision.local(keys, region, elements.pd, AccessOperation.LOCAL_WRITE, address, count, lkey)
                        instanceof Denial) {
            return false;
        }
        return region.land(region.indexOf(address), place);
    }

    /**
     * Writes what a peer sends to where that is allowed; null if it could be written.
     *
     * @param target what the key leads to; if to nothing, nothing is written
     */
    public @Nullable Denial place(@Nullable RemoteTarget target, long address, Payload payload, int rkey, int psn) {
        return place(MemoryEffect.PLACED, target, rkey, address, payload, 0, payload.lengthBytes(), psn);
    }

    private @Nullable Denial place(
            MemoryEffect effect,
            @Nullable RemoteTarget target,
            int key,
            long address,
            Payload payload,
            int from,
            int count,
            int psn) {
        if (target == null || count == 0) {
            return null;
        }
        EmulatedMemoryRegion region = target.region();
        long index = target.indexOf(address);
        try {
            if (!region.isUsable(index, count, true)) {
                return region.isNull() ? dropped() : unusable(region, index, count, true);
            }
            ByteBuffer buffer = region.bufferAt(index);
            int at = region.at(index);
            if (inspected) {
                trace.touching(effect, key, psn, region.memoryAddressAt(index), count);
            }
            if (placementsHeld) {
                byte[] data = new byte[count];
                payload.copyTo(from, ByteBuffer.wrap(data), 0, count);
                buffer.get(at);
                trace.memory(effect, key, psn, region.memoryAddressAt(index), ByteBuffer.wrap(data), 0, count, 0, true);
                placements.hold(this, effect, region, index, psn, data);
            } else {
                placements.arriving(region, index, count);
                Placement.write(buffer, at, payload, from, count);
                if (inspected) {
                    trace.visible(effect, region.memoryAddressAt(index), count);
                }
                if (trace.isTraced()) {
                    trace.memory(effect, key, psn, region.memoryAddressAt(index), buffer, at, count, 0, false);
                }
            }
        } catch (RuntimeException | InternalError e) {
            return unusable(region, index, count, true, e);
        }
        return null;
    }

    /** What was written to a null region is not there. */
    private @Nullable Denial dropped() {
        trace.decided(Rule.MR_75);
        return null;
    }

    /** Adds bytes that a peer reads, and may read, to {@code payload}; null if they could be. */
    public @Nullable Denial fetch(int rkey, long address, int count, int psn, Payload payload) {
        // A READ of nothing makes visible what was placed before it too (ORD-31 d).
        showBeforeRead(rkey);
        return fetchPart(rkey, address, count, psn, 0, payload);
    }

    /**
     * The same for a part of a packet; what was placed before it was {@linkplain #showBeforeRead shown} when the first began.
     *
     * @param offset where in the packet they go
     */
    public @Nullable Denial fetchPart(int rkey, long address, int count, int psn, int offset, Payload payload) {
        RemoteTarget target = keys.target(rkey);
        if (target == null || count == 0) {
            return null;
        }
        return addPiece(
                MemoryEffect.FETCHED, target.region(), rkey, target.indexOf(address), count, psn, offset, payload);
    }

    /** What must be visible before a READ by that key is, from now on (ORD-31 d, VIS-05). */
    public void showBeforeRead(int rkey) {
        if (mayDiffer) {
            RemoteTarget target = keys.target(rkey);
            placements.showBeforeRead(this, target == null ? null : target.region());
        }
    }

    /** What peers placed through this queue pair before the mark is visible from now on (ORD-31). */
    public void showPlaced(long mark) {
        if (placementsHeld) {
            placements.showBefore(mark, this, false);
        }
    }

    /** What the queue pair's own requests returned before the mark is visible from now on (ORD-15). */
    public void showReturned(long mark) {
        if (placementsHeld) {
            placements.showBefore(mark, this, true);
        }
    }

    /** What the queue pair placed is visible from now on, all of it. */
    public void showAll() {
        if (placementsHeld) {
            placements.showAll(this, false);
            placements.showAll(this, true);
        }
    }

    /** Does an allowed atomic and returns what was there before. */
    public long atomic(Packet packet) {
        RemoteTarget target = Objects.requireNonNull(keys.target(packet.remoteKey()));
        EmulatedMemoryRegion region = target.region();
        long index = target.indexOf(packet.remoteAddress());
        long address = region.memoryAddressAt(index);
        requireUsable(region, index, Long.BYTES, true);
        // It is done in memory, for programs may do theirs there too: so nothing older may come after it.
        if (mayDiffer) {
            placements.showBeforeAtomic(this, region, address);
        }
        placements.arriving(region, index, Long.BYTES);
        trace.touching(MemoryEffect.ATOMIC, packet.remoteKey(), packet.psn(), address, Long.BYTES);
        Atomic change = Objects.requireNonNull(Operation.of(packet.opcode()).atomic);
        long original = atomic(target, packet.remoteAddress(), change, packet.compare(), packet.swapOrAdd());
        long after = after(original, change, packet);
        trace.stepped(packet.psn(), address, original, after);
        trace.word(MemoryEffect.ATOMIC, packet.remoteKey(), packet.psn(), address, after);
        return original;
    }

    private static long after(long original, Atomic change, Packet packet) {
        return switch (change) {
            case COMPARE_AND_SWAP -> original == packet.compare() ? packet.swapOrAdd() : original;
            case FETCH_AND_ADD -> original + packet.swapOrAdd();
        };
    }

    /** Does an allowed atomic where nothing is held back; returns what was there before. */
    public long atomic(RemoteTarget target, long address, Atomic change, long compare, long swapOrAdd) {
        EmulatedMemoryRegion region = target.region();
        long index = target.indexOf(address);
        ByteBuffer buffer = region.bufferAt(index);
        return switch (change) {
            case COMPARE_AND_SWAP -> Placement.compareAndSwap(buffer, region.at(index), compare, swapOrAdd);
            case FETCH_AND_ADD -> Placement.fetchAndAdd(buffer, region.at(index), swapOrAdd);
        };
    }

    /** Does an allowed ATOMIC_WRITE: like an atomic it is done in memory, behind all that came before it (NW-01). */
    public void atomicWrite(Packet packet) {
        RemoteTarget target = Objects.requireNonNull(keys.target(packet.remoteKey()));
        EmulatedMemoryRegion region = target.region();
        long index = target.indexOf(packet.remoteAddress());
        long address = region.memoryAddressAt(index);
        requireUsable(region, index, Long.BYTES, true);
        if (mayDiffer) {
            placements.showBeforeAtomic(this, region, address);
        }
        placements.arriving(region, index, Long.BYTES);
        trace.touching(MemoryEffect.PLACED, packet.remoteKey(), packet.psn(), address, Long.BYTES);
        long written = Placement.writeWord(region.bufferAt(index), region.at(index), packet.payload());
        trace.word(MemoryEffect.PLACED, packet.remoteKey(), packet.psn(), address, written);
    }

    /** Does an allowed FLUSH: what was placed in the range is visible to everybody, and outlasts the process if it is to (NW-02). */
    public void flush(int rkey, long address, long lengthBytes, boolean persistent, int psn) {
        RemoteTarget target = Objects.requireNonNull(keys.target(rkey));
        EmulatedMemoryRegion region = target.region();
        long index = target.indexOf(address);
        long memoryAddress = region.memoryAddressAt(index);
        trace.flushed(psn, memoryAddress, lengthBytes, persistent);
        placements.flush(memoryAddress, lengthBytes, persistent);
        if (lengthBytes > 0) {
            requireUsable(region, index, lengthBytes, false);
        }
        if (persistent) {
            region.memory().force(index, lengthBytes);
        }
    }

    /** The address that the memory itself gives a byte of a remote key; -1 if the key leads to nothing. */
    public long memoryAddressOf(int rkey, long address) {
        RemoteTarget target = keys.target(rkey);
        return target == null ? -1 : target.region().memoryAddressAt(target.indexOf(address));
    }

    private static void requireUsable(EmulatedMemoryRegion region, long index, long count, boolean written) {
        if (!region.isUsable(index, count, written)) {
            throw new UnusableMemory(region, index, count, written);
        }
    }

    /** The owner of the memory says that its bytes cannot be used now. */
    static Denial unusable(EmulatedMemoryRegion region, long index, long count, boolean written) {
        return Denial.remoteOperational(
                Refusal.of(Rule.MR_08, "%s", UnusableMemory.sentence(region, index, count, written)));
    }

    /** An access threw something: if the owner says so, because the memory was taken away meanwhile. */
    static Denial unusable(EmulatedMemoryRegion region, long index, long count, boolean written, Throwable thrown) {
        if (thrown instanceof InternalError && !region.isUsable(index, count, written)) {
            return unusable(region, index, count, written);
        }
        return Denial.remoteOperational(Refusal.of(Rule.MR_08, "the memory of %s cannot be used: %s", region, thrown));
    }
}

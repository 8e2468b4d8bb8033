// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Payload;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A queue pair's hands on local memory: elements are resolved, checked, gathered from and scattered to here. */
public final class LocalMemory {

    private final EmulatedDevice device;
    private final KeyTable keys;
    private final EmulatedProtectionDomain pd;
    private final int qpNumber;

    LocalMemory(EmulatedDevice device, EmulatedProtectionDomain pd, int qpNumber) {
        this.device = device;
        this.keys = device.keys();
        this.pd = pd;
        this.qpNumber = qpNumber;
    }

    /** Checks every element of the list in full; null if all are allowed. */
    public @Nullable Denial check(SgeList elements, AccessOperation operation) {
        if (elements.count() == 0) {
            device.decided(qpNumber, "MR-32");
        }
        for (int i = 0; i < elements.count(); i++) {
            Denial denial = judge(operation, elements.address(i), elements.lengthBytes(i), elements.lkey(i));
            if (denial != null) {
                return denial;
            }
        }
        return null;
    }

    private @Nullable Denial judge(AccessOperation operation, long address, long lengthBytes, int lkey) {
        Denial denial = AccessDecision.local(keys, pd, operation, address, lengthBytes, lkey);
        if (denial != null) {
            device.decided(qpNumber, "MR-40");
        } else if (lengthBytes == 0) {
            device.decided(qpNumber, "MR-32");
        } else if (operation == AccessOperation.LOCAL_READ) {
            device.decided(qpNumber, "MR-10");
        }
        return denial;
    }

    /** Adds the {@code count} bytes from {@code from} on to {@code payload}; null if all could be gathered. */
    public @Nullable Denial gather(SgeList elements, long from, int count, Payload payload) {
        long skip = from;
        int left = count;
        for (int i = 0; left > 0; i++) {
            long length = elements.lengthBytes(i);
            if (skip >= length) {
                skip -= length;
                continue;
            }
            int run = (int) Math.min(left, length - skip);
            long address = elements.address(i) + skip;
            Denial denial = gatherRun(address, run, elements.lkey(i), payload);
            if (denial != null) {
                return denial;
            }
            left -= run;
            skip = 0;
        }
        return null;
    }

    private @Nullable Denial gatherRun(long address, int count, int lkey, Payload payload) {
        Denial denial = judge(AccessOperation.LOCAL_READ, address, count, lkey);
        EmulatedMemoryRegion region = keys.byLocalKey(lkey);
        if (denial != null || region == null) {
            return denial;
        }
        return addPiece(region, address, count, payload);
    }

    /** One byte is read first: memory that was closed under the device is found out here, on the side it belongs to. */
    private @Nullable Denial addPiece(EmulatedMemoryRegion region, long address, int count, Payload payload) {
        try {
            region.buffer().get(region.indexOf(address));
            payload.add(region.buffer(), region.indexOf(address), count);
        } catch (RuntimeException e) {
            return unusable(region, e);
        }
        device.traceMemory(qpNumber, MemoryEffect.READ, address, count);
        return null;
    }

    /**
     * Writes the whole payload to the bytes from {@code from} on; null if all could be placed. The elements must have
     * room for it.
     */
    public @Nullable Denial scatter(SgeList elements, long from, Payload payload) {
        long skip = from;
        int done = 0;
        for (int i = 0; done < payload.lengthBytes(); i++) {
            long length = elements.lengthBytes(i);
            if (skip >= length) {
                skip -= length;
                continue;
            }
            int run = (int) Math.min(payload.lengthBytes() - done, length - skip);
            Denial denial = judge(AccessOperation.LOCAL_WRITE, elements.address(i) + skip, run, elements.lkey(i));
            if (denial == null) {
                denial = place(keys.byLocalKey(elements.lkey(i)), elements.address(i) + skip, payload, done, run);
            }
            if (denial != null) {
                return denial;
            }
            done += run;
            skip = 0;
        }
        return null;
    }

    /** Writes part of the payload into a region where that is allowed; null if it could be written. */
    public @Nullable Denial place(
            @Nullable EmulatedMemoryRegion region, long address, Payload payload, int from, int count) {
        if (region == null || count == 0) {
            return null;
        }
        try {
            Placement.write(region.buffer(), region.indexOf(address), payload, from, count);
        } catch (RuntimeException e) {
            return unusable(region, e);
        }
        device.traceMemory(qpNumber, MemoryEffect.WRITE, address, count);
        return null;
    }

    /** Adds bytes that a peer reads, and may read, to {@code payload}; null if they could be. */
    public @Nullable Denial fetch(int rkey, long address, int count, Payload payload) {
        EmulatedMemoryRegion region = keys.byRemoteKey(rkey);
        if (region == null || count == 0) {
            return null;
        }
        return addPiece(region, address, count, payload);
    }

    /** Does an allowed atomic and returns what was there before. */
    public long atomic(Packet packet) {
        EmulatedMemoryRegion region = Objects.requireNonNull(keys.byRemoteKey(packet.remoteKey()));
        int index = region.indexOf(packet.remoteAddress());
        long original = packet.opcode() == Opcode.COMPARE_SWAP
                ? Placement.compareAndSwap(region.buffer(), index, packet.compare(), packet.swapOrAdd())
                : Placement.fetchAndAdd(region.buffer(), index, packet.swapOrAdd());
        device.traceMemory(qpNumber, MemoryEffect.ATOMIC, packet.remoteAddress(), Long.BYTES);
        return original;
    }

    private static Denial unusable(EmulatedMemoryRegion region, RuntimeException thrown) {
        return Denial.remoteOperational(Refusal.of("MR-08", "the memory of %s cannot be used: %s", region, thrown));
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One side of a connection: a device with one of everything. */
public final class Side {

    /** All rights that a region can have here. */
    public static final int ALL_RIGHTS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** Bytes of the region that each side has. */
    public static final int REGION_BYTES = 1 << 16;

    private static final int CQ_ENTRIES = 1 << 10;

    public final Device device;
    public final ProtectionDomain pd;
    public final CompletionQueue sendCq;
    public final CompletionQueue recvCq;
    public final QueuePair qp;
    public final MemoryRegion region;

    /** A side with a queue pair of that size, in RESET. */
    public Side(Device device, QpCapabilities capabilities) {
        this(device, capabilities, null);
    }

    /** The same; its completion queues have this channel, if any. */
    public Side(Device device, QpCapabilities capabilities, @Nullable CompletionChannel channel) {
        this(device, capabilities, channel, QpType.RC);
    }

    /** The same with a queue pair of another type. */
    public Side(Device device, QpCapabilities capabilities, @Nullable CompletionChannel channel, QpType type) {
        this.device = device;
        this.pd = device.allocatePd();
        this.sendCq = device.createCq(CQ_ENTRIES, null, channel, 0);
        this.recvCq = device.createCq(CQ_ENTRIES, null, channel, 0);
        this.qp = pd.createQp(new QpInitAttributes(type, sendCq, recvCq, capabilities, false, null));
        this.region = pd.register(Memory.allocate(REGION_BYTES), ALL_RIGHTS);
    }

    /** One more queue pair like the first, in RESET, on the same completion queues. */
    public QueuePair newQueuePair() {
        return pd.createQp(qp.initAttributes());
    }

    /** The bytes of the region, in native order. */
    public ByteBuffer bytes() {
        return region.memory().buffer();
    }

    /** An element of the region. */
    public Sge sge(int offset, int lengthBytes) {
        return region.sge(offset, lengthBytes);
    }

    /** Address in the region, for the peer. */
    public long address(int offset) {
        return region.address() + offset;
    }

    /** The region's remote key. */
    public int rkey() {
        return region.rkey();
    }

    /** The next completion of a send request; fails if none comes. */
    public WorkCompletion sent() {
        return sendCq.awaitCompletion(Await.LIMIT);
    }

    /** The next completion of a receive request; fails if none comes. */
    public WorkCompletion received() {
        return recvCq.awaitCompletion(Await.LIMIT);
    }
}

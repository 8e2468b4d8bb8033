// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;

/**
 * One side of a connection, for tests and examples: a device, a protection domain, a completion queue for each
 * direction, an RC queue pair, and a region with all rights, to which windows can be bound.
 *
 * @param sent completion queue of the send queue
 * @param received completion queue of the receive queue
 */
public record RcPeer(
        Device device,
        ProtectionDomain pd,
        CompletionQueue sent,
        CompletionQueue received,
        QueuePair qp,
        MemoryRegion region)
        implements AutoCloseable {

    /** Default size of the region in bytes. */
    public static final int USUAL_BYTES = 1 << 16;

    private static final int CQ_ENTRIES = 1 << 10;
    private static final int ALL_RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND;

    /** Creates a side with a region of 64 KiB and an unconnected queue pair. */
    public static RcPeer open(Device device) {
        return open(device, USUAL_BYTES);
    }

    /** Creates a side with a region of the given size in bytes and an unconnected queue pair. */
    public static RcPeer open(Device device, int regionBytes) {
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue sent = device.createCq(CQ_ENTRIES);
        CompletionQueue received = device.createCq(CQ_ENTRIES);
        QueuePair qp = pd.createQp(QpInitAttributes.rc(sent, received, QpCapabilities.USUAL));
        return new RcPeer(device, pd, sent, received, qp, pd.register(Memory.allocate(regionBytes), ALL_RIGHTS));
    }

    /** The bytes of the region. */
    public Memory memory() {
        return region.memory();
    }

    /** The address of a byte of the region, for use by peers. */
    public long address(int offset) {
        return region.address() + offset;
    }

    /** The region's remote key. */
    public int rkey() {
        return region.rkey();
    }

    /** An element of the region. */
    public Sge sge(int offset, int lengthBytes) {
        return region.sge(offset, lengthBytes);
    }

    /** A WRITE of these bytes of the region to the same offset of the peer's region. */
    public SendWorkRequest write(long id, int offset, int lengthBytes, RcPeer peer) {
        return SendWorkRequest.write(id, peer.address(offset), peer.rkey(), sge(offset, lengthBytes));
    }

    /** The same WRITE with immediate data, which consumes a receive of the peer. */
    public SendWorkRequest writeWithImmediate(long id, int immediate, int offset, int lengthBytes, RcPeer peer) {
        return SendWorkRequest.writeWithImmediate(
                id, peer.address(offset), peer.rkey(), immediate, sge(offset, lengthBytes));
    }

    /** A READ of the bytes at the same offset of the peer's region. */
    public SendWorkRequest read(long id, int offset, int lengthBytes, RcPeer peer) {
        return SendWorkRequest.read(id, peer.address(offset), peer.rkey(), sge(offset, lengthBytes));
    }

    /** A SEND of these bytes of the region. */
    public SendWorkRequest send(long id, int offset, int lengthBytes) {
        return SendWorkRequest.send(id, sge(offset, lengthBytes));
    }

    /** A receive into these bytes of the region. */
    public ReceiveWorkRequest receive(long id, int offset, int lengthBytes) {
        return ReceiveWorkRequest.of(id, sge(offset, lengthBytes));
    }

    /** Closes the objects created by {@link #open} and the device. */
    @Override
    public void close() {
        release();
        device.close();
    }

    /** Closes the objects created by {@link #open}. */
    void release() {
        qp.close();
        region.close();
        received.close();
        sent.close();
        pd.close();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.jvm;

import dev.verbatim.RcConnection;
import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.WorkCompletion;

/** The passive side in this JVM: one queue pair and memory that its peer may do anything with. */
public final class PassiveSide implements Remote {

    private static final WorkCompletion[] NONE = {};

    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;

    /** Makes everything on a device; it is closed with the device. */
    public PassiveSide(Device device, int regionBytes) {
        ProtectionDomain pd = device.allocatePd();
        cq = device.createCq(1);
        qp = pd.createQp(QpInitAttributes.rc(
                cq,
                cq,
                new QpCapabilities(
                        1, QpSettings.RECEIVES, QpSettings.ELEMENTS, QpSettings.ELEMENTS, QpSettings.INLINE_BYTES)));
        region = pd.register(Memory.allocate(regionBytes), QpSettings.ALL_RIGHTS);
    }

    public Endpoint endpoint() {
        return Endpoint.of(qp, QpSettings.FIRST_PSN);
    }

    public void connect(RcConnection.Endpoint peer) {
        QpSettings.CONNECTION.readyToReceive(qp, peer);
        QpSettings.CONNECTION.readyToSend(qp, QpSettings.FIRST_PSN);
    }

    /** Where nobody else drives the device, this does, a little. */
    void progress() {
        cq.poll(NONE);
    }

    @Override
    public long address() {
        return region.address();
    }

    @Override
    public int rkey() {
        return region.rkey();
    }

    @Override
    public long peek(int offset) {
        return region.memory().buffer().getLong(offset);
    }

    @Override
    public void poke(int offset, long value) {
        region.memory().buffer().putLong(offset, value);
    }

    /** Nothing to do: in one JVM the active side drives both. */
    @Override
    public void drive() {}

    @Override
    public long rest() {
        return 0;
    }

    @Override
    public void close() {}
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.RcConnection;
import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.bench.plan.BenchFailure;
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
import dev.verbatim.verbs.WorkCompletion;
import java.util.Arrays;

/** The passive side in this JVM: one queue pair and memory that its peer may do anything with. */
public final class PassiveSide implements Remote {

    private static final int WORD_BYTES = 8;

    private final int receives;
    private final WorkCompletion[] holders = new WorkCompletion[64];
    private final ReceiveWorkRequest receive;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;
    private boolean receiving;
    private long received;

    /**
     * Makes everything on a device; it is closed with the device.
     *
     * @param depth how many requests the peer may have outstanding
     */
    public PassiveSide(Device device, int regionBytes, int depth) {
        ProtectionDomain pd = device.allocatePd();
        // Twice as many: the peer goes on when a message was received, and its receive is posted again later.
        receives = Math.min(2 * depth, QpSettings.CQ_ENTRIES);
        cq = device.createCq(receives);
        qp = pd.createQp(QpInitAttributes.rc(
                cq,
                cq,
                new QpCapabilities(1, receives, QpSettings.ELEMENTS, QpSettings.ELEMENTS, QpSettings.INLINE_BYTES)));
        region = pd.register(Memory.allocate(regionBytes), QpSettings.ALL_RIGHTS);
        receive = ReceiveWorkRequest.of(1, region.sge(0, WORD_BYTES));
        Arrays.setAll(holders, i -> new WorkCompletion());
    }

    public Endpoint endpoint() {
        return Endpoint.of(qp, QpSettings.FIRST_PSN);
    }

    public void connect(RcConnection.Endpoint peer) {
        QpSettings.CONNECTION.readyToReceive(qp, peer);
        QpSettings.CONNECTION.readyToSend(qp, QpSettings.FIRST_PSN);
    }

    @Override
    public void receive() {
        for (int i = 0; !receiving && i < receives; i++) {
            qp.postRecv(receive);
        }
        receiving = true;
    }

    @Override
    public long received() {
        return received;
    }

    /** Sends a word to its peer; {@link #hasSent} has to be asked until it says so. */
    void send() {
        progress();
        qp.postSend(SendWorkRequest.send(1, region.sge(0, WORD_BYTES)));
    }

    boolean hasSent() {
        int count = cq.poll(holders);
        if (count > 0 && !holders[0].isSuccess()) {
            throw new BenchFailure("a SEND failed: " + holders[0].explanation());
        }
        return count > 0;
    }

    /** Where nobody else drives the device, this does; what was received is posted again. */
    @Override
    public void progress() {
        int count = cq.poll(holders);
        while (count > 0) {
            postAgain(count);
            count = count == holders.length ? cq.poll(holders) : 0;
        }
    }

    private void postAgain(int count) {
        for (int i = 0; i < count; i++) {
            if (!holders[i].isSuccess() || holders[i].byteLength() != WORD_BYTES) {
                throw BenchFailure.defectOrSequel(
                        "a receive failed or is not of " + WORD_BYTES + " B: " + holders[i].explanation());
            }
            qp.postRecv(receive);
        }
        received += count;
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

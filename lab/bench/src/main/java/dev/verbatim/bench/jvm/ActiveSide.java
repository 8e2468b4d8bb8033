// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.RcConnection;
import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The side that posts: one queue pair, its memory, and the loops that are measured. They make no objects. */
public final class ActiveSide {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final WorkCompletion[] NONE = {};
    private static final int TURNS_BETWEEN_LOOKS_AT_THE_CLOCK = 1 << 20;

    private final int depth;
    private final @Nullable CompletionChannel channel;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;
    private final WorkCompletion[] holders = new WorkCompletion[64];
    private Runnable meanwhile = () -> {};

    /**
     * Makes everything on a device; it is closed with the device.
     *
     * @param blocking whether to park on a completion channel, or to poll until there is something
     */
    public ActiveSide(Device device, boolean blocking, int regionBytes, int depth) {
        this.depth = depth;
        ProtectionDomain pd = device.allocatePd();
        channel = blocking ? device.createCompletionChannel() : null;
        cq = device.createCq(QpSettings.CQ_ENTRIES, null, channel, 0);
        qp = pd.createQp(QpInitAttributes.rc(
                cq,
                cq,
                new QpCapabilities(
                        depth,
                        QpSettings.RECEIVES,
                        QpSettings.ELEMENTS,
                        QpSettings.ELEMENTS,
                        QpSettings.INLINE_BYTES)));
        region = pd.register(Memory.allocate(regionBytes), QpSettings.ALL_RIGHTS);
        for (int i = 0; i < holders.length; i++) {
            holders[i] = new WorkCompletion();
        }
    }

    /** Has something done whenever completions are waited for. */
    public void meanwhile(Runnable work) {
        meanwhile = work;
    }

    /** Posts a receive and changes its bytes, then has a message come from its peer: a mistake. */
    void touchAReceive(PassiveSide peer) {
        qp.postRecv(ReceiveWorkRequest.of(2, region.sge(0, Long.BYTES)));
        ByteBuffer bytes = region.memory().buffer();
        bytes.putLong(0, ~bytes.getLong(0));
        peer.send();
        while (!peer.hasSent()) {
            progress();
        }
        await();
    }

    /** Lets the device do what there is to do. */
    void progress() {
        cq.poll(NONE);
    }

    public QueuePair qp() {
        return qp;
    }

    public MemoryRegion region() {
        return region;
    }

    public void connect(RcConnection.Endpoint peer) {
        QpSettings.CONNECTION.readyToReceive(qp, peer);
        QpSettings.CONNECTION.readyToSend(qp, QpSettings.FIRST_PSN);
    }

    /** Posts one request after the other, each when the one before it has completed; the nanoseconds of all. */
    public long oneByOne(SendWorkRequest request, int operations, Histogram latencies) {
        long startNanos = System.nanoTime();
        long lastNanos = startNanos;
        for (int i = 0; i < operations; i++) {
            qp.postSend(request);
            await();
            long nowNanos = System.nanoTime();
            latencies.recordValue(nowNanos - lastNanos);
            lastNanos = nowNanos;
        }
        return lastNanos - startNanos;
    }

    /** Keeps the send queue full; every {@code interval}th request and the last are signaled. */
    public long stream(SendWorkRequest signaled, SendWorkRequest quiet, int operations, int interval) {
        long startNanos = System.nanoTime();
        int posted = 0;
        int completed = 0;
        int expected = (operations + interval - 1) / interval;
        while (completed < expected) {
            int most = (int) Math.min(operations, (long) completed * interval + depth);
            while (posted < most) {
                posted++;
                qp.postSend(posted % interval == 0 || posted == operations ? signaled : quiet);
            }
            completed += await();
        }
        return System.nanoTime() - startNanos;
    }

    /** The same in chains, each of which has its last request signaled; {@code single} is posted for what is left. */
    public long streamChains(List<SendWorkRequest> chain, SendWorkRequest single, int operations) {
        long startNanos = System.nanoTime();
        int length = chain.size();
        int posted = 0;
        int completed = 0;
        int expected = operations / length + operations % length;
        int chained = operations - operations % length;
        while (completed < expected) {
            long done = Math.min((long) completed * length, chained) + Math.max(0, completed - chained / length);
            long most = Math.min(operations, done + depth);
            while (posted < chained && posted + length <= most) {
                posted += length;
                qp.postSend(chain);
            }
            while (posted >= chained && posted < most) {
                posted++;
                qp.postSend(single);
            }
            completed += await();
        }
        return System.nanoTime() - startNanos;
    }

    /** Waits until there are completions, all of them good; how many. */
    private int await() {
        int count = channel == null ? pollUntilSome() : parkUntilSome(channel);
        for (int i = 0; i < count; i++) {
            if (!holders[i].isSuccess()) {
                throw BenchFailure.defectOrSequel("a request failed: " + holders[i].explanation());
            }
        }
        return count;
    }

    private int pollUntilSome() {
        meanwhile.run();
        int count = cq.poll(holders);
        long startNanos = 0;
        for (int turn = 1; count == 0; turn++) {
            if (turn % TURNS_BETWEEN_LOOKS_AT_THE_CLOCK == 0) {
                long nowNanos = System.nanoTime();
                if (startNanos == 0) {
                    startNanos = nowNanos;
                } else if (nowNanos - startNanos > PATIENCE.toNanos()) {
                    throw nothingCame();
                }
            }
            meanwhile.run();
            count = cq.poll(holders);
        }
        return count;
    }

    private int parkUntilSome(CompletionChannel parking) {
        int count = cq.poll(holders);
        while (count == 0) {
            cq.requestNotify(false);
            count = cq.poll(holders);
            if (count == 0) {
                await(parking).acknowledge();
                count = cq.poll(holders);
            }
        }
        return count;
    }

    private static CompletionEvent await(CompletionChannel parking) {
        try {
            return parking.getEvent(PATIENCE);
        } catch (VerbsException e) {
            throw e.errno() == Errno.ETIMEDOUT ? nothingCame() : e;
        }
    }

    private static BenchFailure nothingCame() {
        return new BenchFailure("no completion within " + PATIENCE.toSeconds()
                + " s; see whether the machine is overloaded, or measure less by --case and --sizes");
    }
}

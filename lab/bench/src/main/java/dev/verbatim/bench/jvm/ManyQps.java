// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Many queue pairs of usual size that share a completion queue. */
public final class ManyQps {

    private static final QpCapabilities SIZE = new QpCapabilities(16, 16, 1, 1, 64);

    private static final int PLACE_BYTES = 16;
    private static final long FACTOR = 0x9e37_79b9_7f4a_7c15L;
    private static final int MOST_POLLED = 256;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Device device;
    private final ProtectionDomain pd;
    private final CompletionQueue shared;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private @Nullable MemoryRegion region;

    /** Where a WRITE may go: 16 bytes for each queue pair, 8 for its WRITE and 8 for its SEND. */
    record Place(long address, int rkey) {}

    public ManyQps(Device device, int count) {
        this.device = device;
        this.pd = device.allocatePd();
        this.shared = device.createCq(QpSettings.CQ_ENTRIES);
        for (int i = 0; i < count; i++) {
            queuePairs.add(pd.createQp(QpInitAttributes.rc(shared, shared, SIZE)));
        }
    }

    public Gid gid() {
        return device.gid();
    }

    public List<Integer> numbers() {
        return queuePairs.stream().map(QueuePair::number).toList();
    }

    /** Connects each queue pair to that of the peer which stands at the same place. */
    public void connect(Gid peer, List<Integer> numbers) {
        for (int i = 0; i < queuePairs.size(); i++) {
            QueuePair qp = queuePairs.get(i);
            QpSettings.CONNECTION.readyToReceive(qp, new Endpoint(peer, numbers.get(i), QpSettings.FIRST_PSN));
            QpSettings.CONNECTION.readyToSend(qp, QpSettings.FIRST_PSN);
        }
    }

    /** Each posts a receive into a place of its own. */
    Place receiveAll() {
        MemoryRegion all = register();
        for (int i = 0; i < queuePairs.size(); i++) {
            queuePairs.get(i).postRecv(ReceiveWorkRequest.of(i, all.sge(i * PLACE_BYTES + Long.BYTES, Long.BYTES)));
        }
        return new Place(all.address(), all.rkey());
    }

    /** Each WRITEs a word of its own into its place there, and SENDs another. */
    public void sendAll(Place there) {
        MemoryRegion all = register();
        ByteBuffer bytes = all.memory().buffer();
        int outstanding = 0;
        for (int i = 0; i < queuePairs.size(); i++) {
            int at = i * PLACE_BYTES;
            bytes.putLong(at, word(at)).putLong(at + Long.BYTES, word(at + Long.BYTES));
            queuePairs
                    .get(i)
                    .postSend(List.of(
                            SendWorkRequest.write(i, there.address + at, there.rkey, all.sge(at, Long.BYTES)),
                            SendWorkRequest.send(i, all.sge(at + Long.BYTES, Long.BYTES))));
            outstanding += 2;
            outstanding -= poll();
        }
        await(outstanding);
    }

    /** Waits until all have received, and looks at what was written and sent. */
    void checkAll() {
        await(queuePairs.size());
        ByteBuffer bytes =
                Objects.requireNonNull(region, "nothing was posted").memory().buffer();
        for (int at = 0; at < queuePairs.size() * PLACE_BYTES; at += Long.BYTES) {
            if (bytes.getLong(at) != word(at)) {
                throw new BenchFailure("the word at " + at + " is not what queue pair " + at / PLACE_BYTES
                        + " was given to move; this is a defect");
            }
        }
    }

    private MemoryRegion register() {
        MemoryRegion fresh = pd.register(Memory.allocate(queuePairs.size() * PLACE_BYTES), QpSettings.ALL_RIGHTS);
        region = fresh;
        return fresh;
    }

    private static long word(int at) {
        return (at + 1) * FACTOR;
    }

    private void await(int count) {
        int left = count;
        while (left > 0) {
            requireGood(shared.awaitCompletion(PATIENCE));
            left -= 1 + poll();
        }
    }

    private int poll() {
        List<WorkCompletion> polled = shared.poll(MOST_POLLED);
        polled.forEach(ManyQps::requireGood);
        return polled.size();
    }

    private static void requireGood(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new BenchFailure("one of many queue pairs failed: " + completion);
        }
    }
}

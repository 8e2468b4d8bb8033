// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
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
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * What one queue pair asks of its peer: requests of all kinds and of all lengths, drawn, as many at a time as fit. Nothing
 * may be lost, and nothing done twice:
 *
 * <ul>
 *   <li>every request completes once, in order, with SUCCESS, and so does the receive of every SEND;
 *   <li>then its bytes are there. They are wiped, and the place must still be blank when the next request uses it: what
 *       is written twice is seen;
 *   <li>every atomic finds what the one before it left.
 * </ul>
 */
final class Traffic {

    /** Requests and receives under way. */
    static final int DEPTH = 8;

    private static final int SMALLEST_BYTES = 8;
    private static final int NOISE_SLACK_BYTES = 4096;
    private static final QpCapabilities ROOM = new QpCapabilities(DEPTH, DEPTH, 1, 1, 0);
    private static final int ALL_RIGHTS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    private enum Kind {
        WRITE(WcOpcode.RDMA_WRITE),
        READ(WcOpcode.RDMA_READ),
        SEND(WcOpcode.SEND),
        ADD(WcOpcode.FETCH_ADD),
        SWAP(WcOpcode.COMP_SWAP);

        private final WcOpcode opcode;

        Kind(WcOpcode opcode) {
            this.opcode = opcode;
        }
    }

    /**
     * A request that was posted.
     *
     * @param noiseAt where in the noise its bytes are
     * @param found what an atomic must find
     */
    private record Posted(Kind kind, int lengthBytes, int noiseAt, long found) {}

    private final RandomGenerator random;
    private final List<Kind> kinds;
    private final int largestBytes;
    private final QueuePair requester;
    private final QueuePair responder;
    private final MemoryRegion source;
    private final MemoryRegion readSource;
    private final Places written;
    private final Places read;
    private final Places received;
    private final MemoryRegion originals;
    private final MemoryRegion words;
    private final Posted[] requests = new Posted[DEPTH];
    private final ArrayDeque<Posted> sends = new ArrayDeque<>();
    private final WorkCompletion[] polled = {new WorkCompletion()};
    private long posted;
    private long completed;
    private long receives;
    private long adds;
    private long swaps;
    private boolean enough;

    /** Places of one region, one for each request under way, blank unless in use. */
    private record Places(MemoryRegion region, ByteBuffer bytes, int eachBytes) {

        static Places in(ProtectionDomain pd, int eachBytes) {
            MemoryRegion region = pd.register(Memory.allocate(DEPTH * eachBytes), ALL_RIGHTS);
            return new Places(region, region.memory().buffer(), eachBytes);
        }

        int at(long number) {
            return (int) (number % DEPTH) * eachBytes;
        }

        Sge sge(long number, int lengthBytes) {
            return region.sge(at(number), lengthBytes);
        }

        long address(long number) {
            return region.address() + at(number);
        }

        void assertBlank(long number, String what) {
            assertThat(bytes.slice(at(number), eachBytes).mismatch(ByteBuffer.allocate(eachBytes)))
                    .as("bytes written again before %s", what)
                    .isEqualTo(-1);
        }

        void assertHolds(long number, ByteBuffer expected, String what) {
            ByteBuffer there = bytes.slice(at(number), expected.remaining());
            assertThat(there.mismatch(expected)).as("bytes of %s", what).isEqualTo(-1);
            there.put(ByteBuffer.allocate(expected.remaining()));
        }
    }

    private Traffic(End near, End far, RandomGenerator random, List<Kind> kinds, int largestBytes) {
        this.random = random;
        this.kinds = kinds;
        this.largestBytes = largestBytes;
        this.requester = near.qp;
        this.responder = far.qp;
        Memory noise = Memory.allocate(largestBytes + NOISE_SLACK_BYTES);
        byte[] bytes = new byte[(int) noise.sizeBytes()];
        new Random(random.nextLong()).nextBytes(bytes);
        noise.buffer().put(bytes);
        this.source = near.pd.register(noise, 0);
        this.readSource = far.pd.register(noise, AccessFlags.REMOTE_READ);
        this.written = Places.in(far.pd, largestBytes);
        this.read = Places.in(near.pd, largestBytes);
        this.received = Places.in(far.pd, largestBytes);
        this.originals = near.pd.register(Memory.allocate(DEPTH * Long.BYTES), ALL_RIGHTS);
        this.words = far.pd.register(Memory.allocate(2 * Long.BYTES), ALL_RIGHTS);
        for (int i = 0; i < DEPTH; i++) {
            postReceive(i);
        }
    }

    /** One queue pair in its protection domain. */
    private record End(ProtectionDomain pd, QueuePair qp) {

        static End of(Device device) {
            ProtectionDomain pd = device.allocatePd();
            CompletionQueue sent = device.createCq(DEPTH);
            return new End(pd, pd.createQp(QpInitAttributes.rc(sent, device.createCq(DEPTH), ROOM)));
        }
    }

    /** Requests of all kinds over one more connection of queue pairs between two devices, in both directions. */
    static List<Traffic> ofAllKinds(
            Device left, Device right, RcConnection connection, RandomGenerator random, int largestBytes) {
        return between(left, right, connection, random, List.of(Kind.values()), largestBytes);
    }

    /** The same, but only WRITEs and READs. */
    static List<Traffic> ofWritesAndReads(
            Device left, Device right, RcConnection connection, RandomGenerator random, int largestBytes) {
        return between(left, right, connection, random, List.of(Kind.WRITE, Kind.READ), largestBytes);
    }

    private static List<Traffic> between(
            Device left,
            Device right,
            RcConnection connection,
            RandomGenerator random,
            List<Kind> kinds,
            int largestBytes) {
        End leftEnd = End.of(left);
        End rightEnd = End.of(right);
        connection.join(leftEnd.qp, rightEnd.qp);
        return List.of(
                new Traffic(leftEnd, rightEnd, random, kinds, largestBytes),
                new Traffic(rightEnd, leftEnd, random, kinds, largestBytes));
    }

    /** Keeps all of them busy until there is enough, then waits until they are idle, and looks whether all is well. */
    static void runAll(List<Traffic> all, BooleanSupplier enough) {
        long progressNanos = System.nanoTime();
        while (!all.stream().allMatch(Traffic::isIdle) || !enough.getAsBoolean()) {
            boolean ends = enough.getAsBoolean();
            boolean progress = false;
            for (Traffic traffic : all) {
                traffic.enough |= ends;
                progress |= traffic.goOn();
            }
            if (progress) {
                progressNanos = System.nanoTime();
            } else {
                assertThat(System.nanoTime() - progressNanos)
                        .as("nanoseconds without progress of %s", all)
                        .isLessThan(Await.LIMIT.toNanos());
                Thread.yield();
            }
        }
        all.forEach(Traffic::assertNothingIsLeft);
    }

    /** Checks what has completed, and posts as much as there is room for; whether anything was done. */
    private boolean goOn() {
        long before = posted + completed + receives;
        while (requester.initAttributes().sendCq().poll(polled) == 1) {
            check(polled[0]);
        }
        while (responder.initAttributes().recvCq().poll(polled) == 1) {
            checkReceive(polled[0]);
        }
        while (!enough && posted - completed < DEPTH) {
            post();
        }
        return before != posted + completed + receives;
    }

    /** Whether all that was posted has completed. */
    private boolean isIdle() {
        return completed == posted && sends.isEmpty();
    }

    long completed() {
        return completed;
    }

    /** Nothing has happened behind the back of the completions. */
    private void assertNothingIsLeft() {
        assertThat(goOn()).as("completions beyond those of all requests").isFalse();
        for (int i = 0; i < DEPTH; i++) {
            written.assertBlank(i, "the end");
            read.assertBlank(i, "the end");
            received.assertBlank(i, "the end");
        }
        assertThat(words.memory().buffer().getLong(0)).as("sum of adds").isEqualTo(adds);
        assertThat(words.memory().buffer().getLong(Long.BYTES))
                .as("the last swap")
                .isEqualTo(swaps);
    }

    private void post() {
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        double exponent = random.nextDouble(Math.log(SMALLEST_BYTES), Math.log(largestBytes));
        int lengthBytes = (int) Math.exp(exponent);
        int noiseAt = random.nextInt(NOISE_SLACK_BYTES);
        long id = posted;
        String what = kind + " wr_id=" + id;
        Sge bytes = source.sge(noiseAt, lengthBytes);
        Sge original = originals.sge((int) (id % DEPTH) * Long.BYTES, Long.BYTES);
        long found = kind == Kind.ADD ? adds : swaps;
        SendWorkRequest request = switch (kind) {
            case WRITE -> {
                written.assertBlank(id, what);
                yield SendWorkRequest.write(
                        id, written.address(id), written.region().rkey(), bytes);
            }
            case READ -> {
                read.assertBlank(id, what);
                yield SendWorkRequest.read(
                        id, readSource.address() + noiseAt, readSource.rkey(), read.sge(id, lengthBytes));
            }
            case SEND -> SendWorkRequest.send(id, bytes);
            case ADD -> {
                adds++;
                yield SendWorkRequest.fetchAndAdd(id, words.address(), words.rkey(), 1, original);
            }
            case SWAP -> {
                swaps++;
                long word = words.address() + Long.BYTES;
                yield SendWorkRequest.compareAndSwap(id, word, words.rkey(), found, swaps, original);
            }
        };
        Posted made = new Posted(kind, lengthBytes, noiseAt, found);
        requests[(int) (id % DEPTH)] = made;
        if (kind == Kind.SEND) {
            sends.add(made);
        }
        posted++;
        requester.postSend(request);
    }

    private void check(WorkCompletion completion) {
        long id = completed++;
        Posted request = requests[(int) (id % DEPTH)];
        assertThat(completion).isSuccess().hasId(id).hasOpcode(request.kind.opcode);
        String what = request + " wr_id=" + id;
        switch (request.kind) {
            case WRITE -> written.assertHolds(id, noise(request), what);
            case READ -> read.assertHolds(id, noise(request), what);
            case SEND -> {
                // Its receive says what came.
            }
            case ADD, SWAP ->
                assertThat(originals.memory().buffer().getLong((int) (id % DEPTH) * Long.BYTES))
                        .as("what %s found", what)
                        .isEqualTo(request.found);
        }
    }

    private void checkReceive(WorkCompletion completion) {
        long id = receives++;
        assertThat(completion).isSuccess().hasId(id).hasOpcode(WcOpcode.RECV);
        Posted request = sends.poll();
        String what = request + " receive=" + id;
        assertThat(request).as(what).isNotNull();
        assertThat(completion).hasByteLength(request.lengthBytes);
        received.assertHolds(id, noise(request), what);
        postReceive(id + DEPTH);
    }

    private void postReceive(long id) {
        received.assertBlank(id, "receive=" + id);
        responder.postRecv(ReceiveWorkRequest.of(id, received.sge(id, largestBytes)));
    }

    private ByteBuffer noise(Posted request) {
        return source.memory().buffer().slice(request.noiseAt, request.lengthBytes);
    }

    @Override
    public String toString() {
        return "from qp=" + requester.number() + " of " + requester.device() + ": posted=" + posted + " completed="
                + completed + " receives=" + receives;
    }
}

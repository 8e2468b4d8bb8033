// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sixteen threads on the same queue pairs, completion queues and receive queues at once: some post SENDs and FETCH_ADDs to whichever
 * queue pair, some post receives, some poll either completion queue. Each completion is seen once, by one thread; what one thread
 * posted to one queue pair completes in that order; and the sums are right.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedObjectsStressTest {

    private static final int POSTERS = 6;
    private static final int RECEIVERS = 3;
    private static final int SEND_POLLERS = 4;
    private static final int RECEIVE_POLLERS = 3;
    private static final int QUEUE_PAIRS = 4;

    /** Of each poster: a SEND, a signaled FETCH_ADD, an unsignaled one, and so on. */
    private static final int REQUESTS = 300;

    private static final int KINDS = 3;
    private static final int UNSIGNALED = 2;
    private static final int SENDS = POSTERS * REQUESTS / KINDS;
    private static final int SIGNALED = POSTERS * REQUESTS / KINDS * 2;

    /** Receives that may be left over: all queues full, and what the receivers hold in hand. */
    private static final int RECEIVES_LEFT = 256;

    private static final int COUNTER_OFFSET = 512;
    private static final QpCapabilities SIZE = new QpCapabilities(32, 32, 1, 1, 64);

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicIntegerArray sendsCompleted = new AtomicIntegerArray(POSTERS * REQUESTS);
    private final AtomicIntegerArray messages = new AtomicIntegerArray(POSTERS * REQUESTS);
    private final AtomicIntegerArray receivesCompleted = new AtomicIntegerArray(SENDS + RECEIVES_LEFT);
    private final AtomicInteger sendsPolled = new AtomicInteger();
    private final AtomicInteger receivesPolled = new AtomicInteger();
    private final AtomicInteger receivesPosted = new AtomicInteger();
    private final List<QueuePair> near = new ArrayList<>();
    private final List<QueuePair> far = new ArrayList<>();
    private final List<Consumer<ReceiveWorkRequest>> receiveQueues = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"IN_PROCESS, false", "IN_PROCESS, true", "TCP, false", "TCP, true"})
    @Rule({"WR-18", "WC-04"})
    void sixteenThreadsShareQueuePairsAndTheirQueues(FabricKind fabric, boolean sharedReceives) throws Exception {
        try (RcPair pair = fabric.openUnwatched(SIZE)) {
            connect(pair, sharedReceives);
            CyclicBarrier start = new CyclicBarrier(POSTERS + RECEIVERS + SEND_POLLERS + RECEIVE_POLLERS);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < POSTERS; i++) {
                int poster = i;
                threads.add(thread(start, () -> post(pair, poster)));
            }
            for (int i = 0; i < RECEIVERS; i++) {
                int seed = i;
                threads.add(thread(start, () -> postReceives(seed, pair.right.sge(1024, 8))));
            }
            for (int i = 0; i < SEND_POLLERS; i++) {
                threads.add(thread(start, () -> pollSends(pair.left.sendCq)));
            }
            for (int i = 0; i < RECEIVE_POLLERS; i++) {
                threads.add(thread(start, () -> pollReceives(pair.right.recvCq)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failure.get()).isNull();
            check(pair);
        }
    }

    private void connect(RcPair pair, boolean sharedReceives) {
        Side right = pair.right;
        SharedReceiveQueue srq = sharedReceives ? right.pd.createSrq(SrqInitAttributes.basic(64)) : null;
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            QpInitAttributes attributes = QpInitAttributes.rc(right.sendCq, right.recvCq, SIZE);
            near.add(pair.left.newQueuePair());
            far.add(right.pd.createQp(srq == null ? attributes : attributes.withSrq(srq)));
            RcConnection.USUAL.join(near.get(i), far.get(i));
            if (srq == null) {
                receiveQueues.add(far.get(i)::postRecv);
            }
        }
        if (srq != null) {
            receiveQueues.add(srq::postRecv);
        }
    }

    private Thread thread(CyclicBarrier start, Runnable work) {
        Thread thread = new Thread(() -> {
            try {
                start.await();
                work.run();
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private boolean goesOn(AtomicInteger done, int all) {
        return done.get() < all && failure.get() == null;
    }

    private void post(RcPair pair, int poster) {
        SplittableRandom random = new SplittableRandom(poster);
        for (int i = 0; i < REQUESTS; i++) {
            SendWorkRequest request = request(pair, poster * REQUESTS + i);
            QueuePair qp = near.get(random.nextInt(QUEUE_PAIRS));
            untilThereIsRoom(() -> qp.postSend(request));
        }
    }

    private static SendWorkRequest request(RcPair pair, int id) {
        if (id % KINDS == 0) {
            return SendWorkRequest.sendWithImmediate(id, id, pair.left.sge(0, 8));
        }
        SendWorkRequest add = SendWorkRequest.fetchAndAdd(
                id, pair.right.address(COUNTER_OFFSET), pair.right.rkey(), 1, pair.left.sge(64, 8));
        return id % KINDS == UNSIGNALED ? add.unsignaled() : add;
    }

    private void postReceives(int seed, Sge room) {
        SplittableRandom random = new SplittableRandom(seed);
        int id = receivesPosted.getAndIncrement();
        while (goesOn(receivesPolled, SENDS)) {
            ReceiveWorkRequest receive = ReceiveWorkRequest.of(id, room);
            boolean posted = false;
            while (!posted && goesOn(receivesPolled, SENDS)) {
                posted = tryPost(() ->
                        receiveQueues.get(random.nextInt(receiveQueues.size())).accept(receive));
            }
            id = receivesPosted.getAndIncrement();
        }
    }

    private void untilThereIsRoom(Runnable post) {
        while (failure.get() == null && !tryPost(post)) {
            Thread.yield();
        }
    }

    /** False if there is no room. */
    private static boolean tryPost(Runnable post) {
        try {
            post.run();
            return true;
        } catch (VerbsException full) {
            if (full.errno() != Errno.ENOMEM) {
                throw full;
            }
            Thread.yield();
            return false;
        }
    }

    private void pollSends(CompletionQueue cq) {
        Order order = new Order();
        poll(cq, sendsPolled, SIGNALED, completion -> {
            int id = (int) completion.id();
            sendsCompleted.incrementAndGet(id);
            order.see(completion.qpNumber(), id);
        });
    }

    private void pollReceives(CompletionQueue cq) {
        Order order = new Order();
        poll(cq, receivesPolled, SENDS, completion -> {
            receivesCompleted.incrementAndGet((int) completion.id());
            messages.incrementAndGet(completion.immediate());
            order.see(completion.qpNumber(), completion.immediate());
        });
    }

    private void poll(CompletionQueue cq, AtomicInteger polled, int all, Consumer<WorkCompletion> seen) {
        WorkCompletion[] holders = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
        while (goesOn(polled, all)) {
            int count = cq.poll(holders);
            for (int i = 0; i < count; i++) {
                assertThat(holders[i].isSuccess()).as("%s", holders[i]).isTrue();
                seen.accept(holders[i]);
            }
            polled.addAndGet(count);
            if (count == 0) {
                Thread.yield();
            }
        }
    }

    private void check(RcPair pair) {
        for (int id = 0; id < POSTERS * REQUESTS; id++) {
            assertThat(sendsCompleted.get(id)).as("completions of %d", id).isEqualTo(id % KINDS == UNSIGNALED ? 0 : 1);
            assertThat(messages.get(id)).as("messages of %d", id).isEqualTo(id % KINDS == 0 ? 1 : 0);
        }
        int receives = 0;
        for (int id = 0; id < receivesCompleted.length(); id++) {
            assertThat(receivesCompleted.get(id)).as("receives of %d", id).isLessThanOrEqualTo(1);
            receives += receivesCompleted.get(id);
        }
        assertThat(receives).isEqualTo(SENDS);
        // The last of them may be unsignaled, but was posted before a signaled one of its queue pair, or is done soon.
        while (pair.right.bytes().getLong(COUNTER_OFFSET) < SIGNALED) {
            Thread.yield();
        }
        assertThat(pair.right.bytes().getLong(COUNTER_OFFSET)).isEqualTo(SIGNALED);
        assertThat(pair.left.sendCq.poll(1)).isEmpty();
        assertThat(pair.right.recvCq.poll(1)).isEmpty();
        asserted();
    }

    /** What one polling thread sees: of each poster at each queue pair, one after the other. */
    private static final class Order {

        private final Map<Long, Integer> last = new HashMap<>();

        void see(int qp, int id) {
            Integer before = last.put((long) qp * POSTERS + id / REQUESTS, id);
            assertThat(before == null || before < id)
                    .as("at qp %d, %d behind %s", qp, id, before)
                    .isTrue();
        }
    }
}

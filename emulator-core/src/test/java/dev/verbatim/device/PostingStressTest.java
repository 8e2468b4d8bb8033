// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads post to one queue pair (WR-18); watched, which posts on the lane, and not watched. */
class PostingStressTest {

    private static final int THREADS = 4;
    private static final int CHAINS = 40;
    private static final int LENGTH = 25;
    private static final int REQUESTS = THREADS * CHAINS * LENGTH;
    private static final QpCapabilities LARGE = new QpCapabilities(REQUESTS, REQUESTS, 1, 1, 0);

    private static Verbatim fabric(boolean watched) {
        return watched ? Verbatim.inProcess().tap(new RecordingTap()) : Verbatim.inProcess();
    }

    /** Each thread posts its chains; the number of a request is that of its thread, its chain, its place. */
    private static void postFromSeveralThreads(LongConsumer postsChainFrom) throws Exception {
        AtomicConcurrencyTest.runTogether(IntStream.range(0, THREADS)
                .<Runnable>mapToObj(thread -> () -> {
                    for (long chain = 0; chain < CHAINS; chain++) {
                        postsChainFrom.accept((thread * CHAINS + chain) * LENGTH);
                    }
                })
                .toList());
    }

    /** All are there, chains lie in one piece, and those of one thread in its order. */
    private static void assertWhole(List<Long> ids) {
        assertThat(ids).hasSize(REQUESTS).doesNotHaveDuplicates();
        long[] lastOfThread = new long[THREADS];
        for (int i = 0; i < REQUESTS; i += LENGTH) {
            long first = ids.get(i);
            assertThat(first % LENGTH).isZero();
            for (int place = 0; place < LENGTH; place++) {
                assertThat(ids.get(i + place)).isEqualTo(first + place);
            }
            int thread = (int) (first / LENGTH / CHAINS);
            assertThat(first).isGreaterThanOrEqualTo(lastOfThread[thread]);
            lastOfThread[thread] = first;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule("WR-18")
    void chainsOfSendsFromSeveralThreadsStayWhole(boolean watched) throws Exception {
        try (Verbatim rdma = fabric(watched)) {
            Side left = new Side(rdma.open("left"), QpCapabilities.USUAL);
            Side right = new Side(rdma.open("right"), QpCapabilities.USUAL);
            CompletionQueue cq = left.device.createCq(REQUESTS);
            QueuePair qp = left.pd.createQp(QpInitAttributes.rc(cq, cq, LARGE));
            RcConnection.connect(qp, right.newQueuePair());
            postFromSeveralThreads(from -> {
                List<SendWorkRequest> chain = new ArrayList<>();
                for (int place = 0; place < LENGTH; place++) {
                    chain.add(SendWorkRequest.fetchAndAdd(
                            from + place, right.address(0), right.rkey(), 1, left.sge(0, 8)));
                }
                qp.postSend(chain);
            });
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                WorkCompletion completion = cq.awaitCompletion(Await.LIMIT);
                assertThat(completion).isSuccess();
                ids.add(completion.id());
            }
            assertWhole(ids);
            assertThat(right.bytes().getLong(0)).isEqualTo(REQUESTS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule("WR-18")
    void chainsOfReceivesFromSeveralThreadsStayWhole(boolean watched) throws Exception {
        try (Verbatim rdma = fabric(watched)) {
            Side left = new Side(rdma.open("left"), QpCapabilities.USUAL);
            Side right = new Side(rdma.open("right"), QpCapabilities.USUAL);
            CompletionQueue cq = right.device.createCq(REQUESTS);
            QueuePair receiver = right.pd.createQp(QpInitAttributes.rc(cq, cq, LARGE));
            QueuePair sender = left.newQueuePair();
            RcConnection.connect(sender, receiver);
            postFromSeveralThreads(from -> {
                List<ReceiveWorkRequest> chain = new ArrayList<>();
                for (int place = 0; place < LENGTH; place++) {
                    chain.add(ReceiveWorkRequest.of(from + place));
                }
                receiver.postRecv(chain);
            });
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                sender.postSend(SendWorkRequest.send(i));
                assertThat(left.sent()).isSuccess();
                ids.add(cq.awaitCompletion(Await.LIMIT).id());
            }
            assertWhole(ids);
        }
    }

    /** Nothing is carried out yet, so threads meet at nothing but the next slot: were one given twice, one more would fit. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"WR-18", "WR-11"})
    void everyPostOfEveryThreadHasASlotOfItsOwn(boolean sends) throws Exception {
        try (Verbatim rdma = fabric(false)) {
            int each = 8000;
            QpCapabilities large = new QpCapabilities(THREADS * each, THREADS * each, 1, 1, 0);
            Side left = new Side(rdma.open("left"), QpCapabilities.USUAL);
            Side right = new Side(rdma.open("right"), QpCapabilities.USUAL);
            QueuePair qp = left.pd.createQp(QpInitAttributes.rc(left.sendCq, left.recvCq, large));
            RcConnection.connect(qp, right.qp);
            qp.modify(new QpAttributes().state(QpState.SQD));
            SendWorkRequest send = SendWorkRequest.send(1);
            ReceiveWorkRequest receive = ReceiveWorkRequest.of(1);
            Runnable post = sends ? () -> qp.postSend(send) : () -> qp.postRecv(receive);
            AtomicConcurrencyTest.runTogether(IntStream.range(0, THREADS)
                    .<Runnable>mapToObj(thread -> () -> {
                        for (int i = 0; i < each; i++) {
                            post.run();
                        }
                    })
                    .toList());
            assertRefused(Errno.ENOMEM, "WR-11", post::run);
        }
    }

    /** Slots are given back while others take them: with one slot, every post fights for it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @Rule("WR-18")
    void requestsOfSeveralThreadsThatFightForFewSlotsAreEachDoneOnce(int slots) throws Exception {
        try (Verbatim rdma = fabric(true)) {
            QpCapabilities small = new QpCapabilities(slots, slots, 1, 1, 0);
            Side left = new Side(rdma.open("left"), small);
            Side right = new Side(rdma.open("right"), small);
            RcConnection.USUAL.withRetries(14, 7, 7, 1).join(left.qp, right.qp);
            int each = 200;
            List<Long> sent = new ArrayList<>();
            List<Long> received = new ArrayList<>();
            List<Runnable> tasks = new ArrayList<>(List.of(
                    () -> collect(left.sendCq, 2 * each, sent), () -> collect(right.recvCq, 2 * each, received)));
            for (int thread = 0; thread < 2; thread++) {
                long from = (long) thread * each;
                tasks.add(() -> persist(each, i -> left.qp.postSend(SendWorkRequest.send(from + i))));
                tasks.add(() -> persist(each, i -> right.qp.postRecv(ReceiveWorkRequest.of(from + i))));
            }
            AtomicConcurrencyTest.runTogether(tasks);
            assertThat(sent).hasSize(2 * each).doesNotHaveDuplicates();
            assertThat(received).hasSize(2 * each).doesNotHaveDuplicates();
        }
    }

    private static void collect(CompletionQueue cq, int count, List<Long> ids) {
        while (ids.size() < count) {
            WorkCompletion completion = cq.awaitCompletion(Await.LIMIT);
            assertThat(completion).isSuccess();
            ids.add(completion.id());
        }
    }

    private static void persist(int count, LongConsumer post) {
        for (long i = 0; i < count; ) {
            try {
                post.accept(i);
                i++;
            } catch (VerbsException full) {
                assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
                Thread.yield();
            }
        }
    }
}

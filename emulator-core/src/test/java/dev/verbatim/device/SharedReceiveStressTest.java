// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads post to one shared receive queue while messages of several queue pairs empty it (WR-18). */
@Timeout(600)
class SharedReceiveStressTest {

    private static final int POSTERS = 3;
    private static final int CHAINS = 60;
    private static final int LENGTH = 5;
    private static final int RECEIVES = POSTERS * CHAINS * LENGTH;
    private static final int QUEUE_PAIRS = 2;
    private static final int ROOM = 32;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule({"SRQ-01", "SRQ-02", "WR-18", "WR-10"})
    void everyReceiveOfEveryThreadIsTakenOnce(boolean watched) throws Exception {
        try (Verbatim rdma = watched ? Verbatim.inProcess().tap(new RecordingTap()) : Verbatim.inProcess()) {
            Side left = new Side(rdma.open("left"), QpCapabilities.USUAL);
            Side right = new Side(rdma.open("right"), QpCapabilities.USUAL);
            SharedReceiveQueue srq = right.pd.createSrq(SrqInitAttributes.basic(ROOM));
            CompletionQueue received = right.device.createCq(RECEIVES);
            List<Runnable> tasks = new ArrayList<>();
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                CompletionQueue sent = left.device.createCq(64);
                QueuePair sender = left.pd.createQp(QpInitAttributes.rc(sent, sent, QpCapabilities.USUAL));
                QueuePair receiver = right.pd.createQp(QpInitAttributes.rc(received, received, QpCapabilities.USUAL)
                        .withSrq(srq));
                RcConnection.USUAL.withRetries(14, 7, 7, 1).join(sender, receiver);
                tasks.add(() -> {
                    for (int message = 0; message < RECEIVES / QUEUE_PAIRS; message++) {
                        sender.postSend(SendWorkRequest.send(message));
                        assertThat(sent.awaitCompletion(Await.LIMIT)).isSuccess();
                    }
                });
            }
            for (int poster = 0; poster < POSTERS; poster++) {
                long from = (long) poster * CHAINS * LENGTH;
                tasks.add(() -> postAll(srq, from));
            }
            tasks.add(() -> {
                for (int i = 0; i < CHAINS; i++) {
                    srq.modify(SrqAttributes.ofSize(ROOM + i), SrqAttributes.MAX_WR);
                    assertThat(srq.query().maxSge()).isEqualTo(4);
                }
            });
            AtomicConcurrencyTest.runTogether(tasks);

            BitSet taken = new BitSet();
            long[] last = new long[POSTERS];
            for (int i = 0; i < RECEIVES; i++) {
                WorkCompletion completion = received.awaitCompletion(Await.LIMIT);
                assertThat(completion).isSuccess();
                int id = (int) completion.id();
                assertThat(taken.get(id)).as("wr_id=%d was taken before", id).isFalse();
                taken.set(id);
                int poster = id / (CHAINS * LENGTH);
                assertThat(completion.id()).isGreaterThanOrEqualTo(last[poster]);
                last[poster] = id;
            }
            assertThat(taken.cardinality()).isEqualTo(RECEIVES);
            asserted();
        }
    }

    /**
     * Nobody takes, so the threads meet at nothing but the next slot: were one slot given twice, there would be room for
     * one more at the end. What the device takes needs no monitor beside theirs, since all of it happens on the lane and
     * never in a slot that a program may fill: a slot is free only once the lane has counted it as taken.
     */
    @Test
    @Rule({"SRQ-01", "WR-18", "WR-11"})
    void everyPostOfEveryThreadHasASlotOfItsOwn() throws Exception {
        try (Verbatim rdma = Verbatim.inProcess()) {
            Side side = new Side(rdma.open("alone"), QpCapabilities.USUAL);
            int each = side.device.query().maxSrqWr() / POSTERS;
            SharedReceiveQueue srq = side.pd.createSrq(SrqInitAttributes.basic(POSTERS * each));
            ReceiveWorkRequest receive = ReceiveWorkRequest.of(1);
            List<Runnable> tasks = new ArrayList<>();
            for (int poster = 0; poster < POSTERS; poster++) {
                tasks.add(() -> {
                    for (int i = 0; i < each; i++) {
                        srq.postRecv(receive);
                    }
                });
            }
            AtomicConcurrencyTest.runTogether(tasks);
            assertRefused(Errno.ENOMEM, "WR-11", () -> srq.postRecv(receive));
        }
    }

    /** What does not fit is posted again: a thread goes on behind the last that was taken. */
    private static void postAll(SharedReceiveQueue srq, long from) {
        for (int chain = 0; chain < CHAINS; chain++) {
            List<ReceiveWorkRequest> left = new ArrayList<>();
            for (int i = 0; i < LENGTH; i++) {
                left.add(ReceiveWorkRequest.of(from + (long) chain * LENGTH + i));
            }
            while (!left.isEmpty()) {
                try {
                    srq.postRecv(left);
                    left.clear();
                } catch (VerbsException full) {
                    assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
                    left.subList(0, full.badRequest()).clear();
                    Thread.onSpinWait();
                }
            }
        }
    }
}

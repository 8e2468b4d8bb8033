// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Outcomes;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** When slots of the queues are taken and when they are free again: WR-14, WR-15, WR-16. */
class SendQueueSlotTest {

    private static final int DEPTH = 4;

    private static RcPair pairOfDepth(int depth) {
        return RcPair.inProcess(new QpCapabilities(depth, depth, 1, 1, 0)).connect(RcPair.WITHOUT_TIMER);
    }

    private static SendWorkRequest write(RcPair pair, long id) {
        return SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8));
    }

    @Test
    @Rule({"TR-10", "WR-14", "WR-16"})
    void pollOfOneSignaledCompletionFreesTheSlotsOfAllBeforeIt() {
        try (RcPair pair = pairOfDepth(DEPTH)) {
            QueuePair qp = pair.left.qp;
            for (int id = 0; id < 3; id++) {
                qp.postSend(write(pair, id).unsignaled());
            }
            qp.postSend(write(pair, 3));
            assertRefused(Errno.ENOMEM, "WR-14", () -> qp.postSend(write(pair, 4)), "max_send_wr=4", "poll");

            assertThat(pair.left.sent()).isSuccess().hasId(3);
            assertThat(pair.left.sendCq.poll(9)).isEmpty();
            for (int id = 4; id < 8; id++) {
                qp.postSend(write(pair, id));
            }
            assertRefused(Errno.ENOMEM, "WR-14", () -> qp.postSend(write(pair, 8)));
        }
    }

    @Test
    @Rule("WR-14")
    void queueOfUnsignaledRequestsOnlyIsFullForGood() {
        try (RcPair pair = pairOfDepth(DEPTH)) {
            QueuePair qp = pair.left.qp;
            pair.left.bytes().putLong(0, 5);
            for (int id = 0; id < DEPTH; id++) {
                qp.postSend(write(pair, id).unsignaled());
            }
            assertThat(pair.right.bytes().getLong(0)).as("all have executed").isEqualTo(5);
            for (int i = 0; i < 3; i++) {
                assertThat(pair.left.sendCq.poll(9)).isEmpty();
                assertRefused(Errno.ENOMEM, "WR-14", () -> qp.postSend(write(pair, 9)), "executed");
            }
        }
    }

    @Test
    @Rule("WR-11")
    void queueOfRequestsUnderWaySaysThatTheyAre() {
        try (RcPair pair = pairOfDepth(DEPTH)) {
            QueuePair qp = pair.left.qp;
            qp.modify(new QpAttributes().state(QpState.SQD));
            for (int id = 0; id < DEPTH; id++) {
                qp.postSend(write(pair, id));
            }
            assertRefused(Errno.ENOMEM, "WR-11", () -> qp.postSend(write(pair, 9)), "max_send_wr=4");
        }
    }

    @Test
    @Rule({"T-11", "WR-14"})
    void slotsAreCountedRightForEveryMixOfSignaledAndUnsignaledRequests() {
        int requests = 2 * DEPTH;
        try (RcPair pair = pairOfDepth(DEPTH)) {
            for (int signaled = 0; signaled < 1 << requests; signaled++) {
                QueuePair qp = pair.left.newQueuePair();
                RcConnection.connect(qp, pair.right.newQueuePair());
                String mix = Integer.toBinaryString(1 << requests | signaled).substring(1);
                int posted = 0;
                int free = DEPTH;
                int polled = 0;
                while (posted < requests) {
                    boolean accepted = posts(pair, qp, posted, (signaled & 1 << posted) != 0);
                    assertThat(accepted)
                            .as("mix=%s posted=%d free=%d", mix, posted, free)
                            .isEqualTo(free > 0);
                    if (accepted) {
                        posted++;
                        free--;
                        continue;
                    }
                    int next = Integer.numberOfTrailingZeros(signaled >> polled) + polled;
                    if (next >= posted) {
                        assertThat(pair.left.sendCq.poll(9)).as("mix=%s", mix).isEmpty();
                        break;
                    }
                    assertThat(pair.left.sent()).isSuccess().hasId(next);
                    free += next + 1 - polled;
                    polled = next + 1;
                }
                qp.close();
            }
        }
    }

    private static boolean posts(RcPair pair, QueuePair qp, int id, boolean signaled) {
        SendWorkRequest request = signaled ? write(pair, id) : write(pair, id).unsignaled();
        VerbsException refused = Assertions.catchThrowableOfType(VerbsException.class, () -> qp.postSend(request));
        assertThat(refused == null || refused.errno() == Errno.ENOMEM).isTrue();
        return refused == null;
    }

    @Test
    @Rule("WR-14")
    void completionInErrorFreesTheSlotsBeforeItToo() {
        try (RcPair pair = pairOfDepth(DEPTH)) {
            QueuePair qp = pair.left.qp;
            qp.postSend(write(pair, 0).unsignaled());
            qp.postSend(SendWorkRequest.write(1, pair.right.address(0), 0xbad, pair.left.sge(0, 8))
                    .unsignaled());
            qp.postSend(write(pair, 2).unsignaled());
            qp.postSend(write(pair, 3).unsignaled());
            assertRefused(Errno.ENOMEM, "WR-14", () -> qp.postSend(write(pair, 4)));
            assertThat(pair.left.sent()).hasId(1).hasStatus(WcStatus.REM_ACCESS_ERR);
            qp.postSend(List.of(write(pair, 4), write(pair, 5)));
            assertRefused(Errno.ENOMEM, "WR-14", () -> qp.postSend(write(pair, 6)));
        }
    }

    @Test
    @Rule("WR-15")
    void receiveSlotIsFreeWhenItsCompletionIsThere() {
        try (RcPair pair = pairOfDepth(1)) {
            pair.right.qp.postRecv(ReceiveWorkRequest.of(1));
            assertRefused(Errno.ENOMEM, "WR-11", () -> pair.right.qp.postRecv(ReceiveWorkRequest.of(2)));
            pair.left.qp.postSend(SendWorkRequest.send(5));
            assertThat(pair.left.sent()).isSuccess();
            pair.right.qp.postRecv(ReceiveWorkRequest.of(3));
            assertThat(pair.right.received()).isSuccess().hasId(1);
        }
    }

    @Test
    @Rule("WR-15")
    void completionNamesItsOwnRequestThoughTheSlotIsTakenAtOnce() {
        AtomicBoolean again = new AtomicBoolean(true);
        QueuePair[] receiver = new QueuePair[1];
        try (Verbatim rdma = Verbatim.inProcess().tap(event -> {
            RuleCoverage.observe(event);
            if (event instanceof TraceEvent.Completed done && done.device().equals("right") && again.getAndSet(false)) {
                receiver[0].postRecv(ReceiveWorkRequest.of(2));
            }
        })) {
            QpCapabilities one = new QpCapabilities(1, 1, 1, 1, 0);
            Side left = new Side(rdma.open("left"), one);
            Side right = new Side(rdma.open("right"), one);
            receiver[0] = right.qp;
            RcConnection.connect(left.qp, right.qp);
            right.qp.postRecv(ReceiveWorkRequest.of(1));
            left.qp.postSend(SendWorkRequest.send(5));
            Outcomes.assertThat(right.received()).isSuccess().hasId(1);
            right.qp.modify(new QpAttributes().state(QpState.ERR));
            Outcomes.assertThat(right.received()).hasId(2).hasStatus(WcStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    @Rule("WR-16")
    void queuePairThatSignalsAllCompletesUnsignaledRequestsToo() {
        try (RcPair pair = pairOfDepth(DEPTH)) {
            Side left = pair.left;
            QueuePair all = left.pd.createQp(QpInitAttributes.rc(left.sendCq, left.recvCq, QpCapabilities.USUAL)
                    .signalingAll());
            RcConnection.connect(all, pair.right.newQueuePair());
            all.postSend(write(pair, 1).unsignaled());
            all.postSend(write(pair, 2).withFlags(0));
            all.postSend(write(pair, 3));
            for (int id = 1; id <= 3; id++) {
                assertThat(left.sent()).isSuccess().hasId(id);
            }
            assertThat(left.sendCq.poll(9)).isEmpty();
        }
    }

    @Test
    @Rule("WR-16")
    void unsignaledSuccessCompletesSilentlyAndAFailureDoesNot() {
        try (RcPair pair = pairOfDepth(DEPTH)) {
            QueuePair qp = pair.left.qp;
            qp.postSend(write(pair, 1).unsignaled());
            qp.postSend(write(pair, 2));
            assertThat(pair.left.sent()).isSuccess().hasId(2);
            qp.postSend(SendWorkRequest.write(3, pair.right.address(0), 0xbad, pair.left.sge(0, 8))
                    .unsignaled());
            assertThat(pair.left.sent()).hasId(3).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertThat(pair.left.sendCq.poll(9)).isEmpty();
        }
    }
}

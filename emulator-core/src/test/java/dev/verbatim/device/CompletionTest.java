// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What single completions say, and which requests have one (G.1). */
class CompletionTest {

    private static final int BAD_KEY = 0x77;

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    @Test
    @Rule("WC-02")
    void successTellsWhatWasDoneByWhomAndHowMuchCame() {
        pair.right.qp.postRecv(ReceiveWorkRequest.of(100, pair.right.sge(4096, 64)));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(101, pair.right.sge(4096, 64)));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(102));

        post(SendWorkRequest.send(1, pair.left.sge(0, 24)));
        assertThat(pair.left.sent())
                .isSuccess()
                .hasId(1)
                .hasOpcode(WcOpcode.SEND)
                .hasFlags(0);
        WorkCompletion plain = pair.right.received();
        assertThat(plain)
                .isSuccess()
                .hasId(100)
                .hasOpcode(WcOpcode.RECV)
                .hasByteLength(24)
                .hasFlags(0);
        assertThat(plain.qpNumber()).isEqualTo(pair.right.qp.number());

        post(SendWorkRequest.sendWithImmediate(2, 0xdeadbeef, pair.left.sge(0, 3)));
        assertThat(pair.left.sent()).isSuccess().hasId(2).hasOpcode(WcOpcode.SEND);
        WorkCompletion withImmediate = pair.right.received();
        assertThat(withImmediate).isSuccess().hasId(101).hasByteLength(3).hasFlags(WcFlags.WITH_IMM);
        assertThat(withImmediate.immediate()).isEqualTo(0xdeadbeef);

        post(SendWorkRequest.writeWithImmediate(
                3, pair.right.address(0), pair.right.rkey(), 0x01020304, pair.left.sge(0, 2000)));
        assertThat(pair.left.sent()).isSuccess().hasId(3).hasOpcode(WcOpcode.RDMA_WRITE);
        WorkCompletion written = pair.right.received();
        assertThat(written)
                .isSuccess()
                .hasId(102)
                .hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM)
                .hasByteLength(2000)
                .hasFlags(WcFlags.WITH_IMM);
        assertThat(written.immediate()).isEqualTo(0x01020304);

        post(SendWorkRequest.read(4, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 1500)));
        assertThat(pair.left.sent())
                .isSuccess()
                .hasId(4)
                .hasOpcode(WcOpcode.RDMA_READ)
                .hasByteLength(1500);
        post(SendWorkRequest.fetchAndAdd(5, pair.right.address(0), pair.right.rkey(), 1, pair.left.sge(0, 8)));
        assertThat(pair.left.sent())
                .isSuccess()
                .hasId(5)
                .hasOpcode(WcOpcode.FETCH_ADD)
                .hasByteLength(8);
        post(SendWorkRequest.compareAndSwap(6, pair.right.address(0), pair.right.rkey(), 0, 1, pair.left.sge(0, 8)));
        WorkCompletion swapped = pair.left.sent();
        assertThat(swapped).isSuccess().hasId(6).hasOpcode(WcOpcode.COMP_SWAP).hasByteLength(8);
        assertThat(swapped.qpNumber()).isEqualTo(pair.left.qp.number());
        assertThat(swapped.refusal()).isNull();
    }

    @Test
    @Rule({"WC-01", "WC-23"})
    void failureTellsTheRequestTheStatusTheQueuePairAndWhy() {
        post(write(0xfedc_ba98_7654_3210L, BAD_KEY));
        WorkCompletion failed = pair.left.sent();
        assertThat(failed).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(0xfedc_ba98_7654_3210L);
        assertThat(failed.qpNumber()).isEqualTo(pair.left.qp.number());
        assertThat(failed.vendorError()).isEqualTo(WcStatus.REM_ACCESS_ERR.number());
        assertThat(failed.explanation()).contains("[WC-45]");
    }

    @Test
    @Rule("WC-03")
    void unsignaledSuccessHasNoCompletionAndASignaledOneHasOne() {
        post(write(1, pair.right.rkey()).unsignaled());
        post(write(2, pair.right.rkey()));
        post(write(3, pair.right.rkey()).unsignaled());
        post(write(4, pair.right.rkey()));
        assertThat(pair.left.sent()).isSuccess().hasId(2);
        assertThat(pair.left.sent()).isSuccess().hasId(4);
        assertThat(pair.left.sendCq.poll(4)).isEmpty();
    }

    @Test
    @Rule({"WC-03", "WC-05", "WC-06", "WC-40"})
    void afterTheFirstErrorEveryRequestIsFlushedOnceInOrderAndHasNoEffect() {
        for (int id = 101; id <= 103; id++) {
            pair.right.qp.postRecv(ReceiveWorkRequest.of(id, pair.right.sge(0, 8)));
        }
        pair.left.bytes().putLong(0, 7);
        pair.left.qp.postSend(List.of(
                write(1, pair.right.rkey()).unsignaled(),
                write(2, BAD_KEY).unsignaled(),
                SendWorkRequest.write(3, pair.right.address(512), pair.right.rkey(), pair.left.sge(0, 8)),
                SendWorkRequest.send(4, pair.left.sge(0, 8)).unsignaled(),
                SendWorkRequest.read(5, pair.right.address(0), pair.right.rkey(), pair.left.sge(64, 8))));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(2);
        for (int id = 3; id <= 5; id++) {
            assertThat(pair.left.sent())
                    .hasStatus(WcStatus.WR_FLUSH_ERR)
                    .hasId(id)
                    .isExplainedBy("QP-22");
        }
        for (int id = 101; id <= 103; id++) {
            assertThat(pair.right.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(id);
        }
        assertThat(pair.right.bytes().getLong(0)).as("the WRITE before").isEqualTo(7);
        assertThat(pair.right.bytes().getLong(512)).as("the WRITE behind").isZero();
        assertState(pair.left.qp, QpState.ERR);

        pair.left.qp.postSend(write(6, pair.right.rkey()).unsignaled());
        assertThat(pair.left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(6);
        assertThat(pair.left.sendCq.poll(4)).isEmpty();
        assertThat(pair.right.recvCq.poll(4)).isEmpty();
    }

    @Test
    @Rule({"WC-05", "WC-06", "WC-29"})
    void behindALocalErrorNothingIsStarted() {
        pair.left.qp.postSend(List.of(
                SendWorkRequest.write(
                        1, pair.right.address(0), pair.right.rkey(), new dev.verbatim.verbs.Sge(0, 8, BAD_KEY)),
                write(2, pair.right.rkey())));
        assertThat(pair.left.sent()).hasStatus(WcStatus.LOC_PROT_ERR).hasId(1);
        assertThat(pair.left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
        assertThat(pair.tap.sentBy("left")).isEmpty();
        assertState(pair.right.qp, QpState.RTS);
    }

    @Test
    @Rule("WC-04")
    void pollingGivesWhatIsThereUpToTheRoomAndEachCompletionOnce() {
        for (int id = 1; id <= 5; id++) {
            post(write(id, pair.right.rkey()));
        }
        assertThat(pair.left.sendCq.poll(new WorkCompletion[0])).isZero();
        assertThat(pair.left.sendCq.poll(0)).isEmpty();
        WorkCompletion[] three = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
        assertThat(pair.left.sendCq.poll(three)).isEqualTo(3);
        assertThat(three).extracting(WorkCompletion::id).containsExactly(1L, 2L, 3L);
        assertThat(pair.left.sendCq.poll(three)).isEqualTo(2);
        assertThat(three).extracting(WorkCompletion::id).containsExactly(4L, 5L, 3L);
        assertThat(pair.left.sendCq.poll(three)).isZero();
        assertRefused(
                Errno.ETIMEDOUT,
                "WC-04",
                () -> pair.left.sendCq.awaitCompletion(Duration.ofMillis(1)),
                "no completion within");
    }

    @Test
    @Rule({"TR-10", "WC-03", "WR-14"})
    void slotsOfUnsignaledRequestsAreFreeWhenALaterCompletionIsPolled() {
        try (RcPair small = RcPair.inProcess(new dev.verbatim.verbs.QpCapabilities(4, 4, 1, 1, 0))) {
            small.connect(RcPair.WITHOUT_TIMER);
            SendWorkRequest write =
                    SendWorkRequest.write(4, small.right.address(0), small.right.rkey(), small.left.sge(0, 8));
            for (int i = 0; i < 3; i++) {
                small.left.qp.postSend(write.unsignaled());
            }
            small.left.qp.postSend(write);
            assertRefused(Errno.ENOMEM, "WR-14", () -> small.left.qp.postSend(write), "max_send_wr=4");
            assertThat(small.left.sent()).isSuccess().hasId(4);
            assertThat(small.left.sendCq.poll(1)).isEmpty();
            for (int i = 0; i < 4; i++) {
                small.left.qp.postSend(write);
            }
            assertRefused(Errno.ENOMEM, "WR-14", () -> small.left.qp.postSend(write));
        }
    }

    @Test
    @Rule({"TR-9", "WC-46"})
    void pipelinedErrorLeavesWhatWasBeforeAndFlushesWhatIsBehind() {
        pair.left.bytes().putLong(0, 1).putLong(8, 2).putLong(16, 3);
        pair.left.qp.postSend(List.of(
                SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8)),
                SendWorkRequest.write(2, pair.right.address(8), BAD_KEY, pair.left.sge(8, 8)),
                SendWorkRequest.write(3, pair.right.address(16), pair.right.rkey(), pair.left.sge(16, 8))));
        assertThat(pair.left.sent()).isSuccess().hasId(1);
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(2);
        assertThat(pair.left.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
        assertThat(pair.right.bytes().getLong(0)).isEqualTo(1);
        assertThat(pair.right.bytes().getLong(8)).isZero();
        assertThat(pair.right.bytes().getLong(16)).isZero();
    }

    @Test
    @Rule("WC-49")
    void responderEndedByItsPeerFlushesWhatItAskedForItself() {
        pair.left.qp.postRecv(ReceiveWorkRequest.of(200));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(100));
        post(write(1, BAD_KEY));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertState(pair.right.qp, QpState.ERR);
        assertThat(pair.right.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(100);
        pair.right.qp.postSend(SendWorkRequest.send(2, pair.right.sge(0, 8)));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(101));
        assertThat(pair.right.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
        assertThat(pair.right.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(101);
        assertThat(pair.left.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(200);
    }

    private void post(SendWorkRequest request) {
        pair.left.qp.postSend(request);
    }

    private SendWorkRequest write(long id, int rkey) {
        return SendWorkRequest.write(id, pair.right.address(0), rkey, pair.left.sge(0, 8));
    }
}

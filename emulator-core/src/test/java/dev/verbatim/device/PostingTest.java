// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What posting accepts, what it refuses, and what it keeps of a request: E.1 and E.2. */
class PostingTest {

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    private final Side left = pair.left;
    private final Side right = pair.right;

    private SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, right.address(8 * (int) id), right.rkey(), left.sge(0, 8));
    }

    @ParameterizedTest
    @EnumSource(names = {"TSO", "DRIVER1"})
    @Rule("WR-01")
    void opcodeThatRcDoesNotHaveIsRefused(WrOpcode opcode) {
        SendWorkRequest request = SendWorkRequest.of(1, opcode, right.address(0), right.rkey(), 0, 0, 0);
        assertRefused(Errno.EINVAL, "WR-01", () -> left.qp.postSend(request), opcode.name());
        int bad = assertRefused(Errno.EINVAL, "WR-01", () -> left.qp.postSend(List.of(write(1), request)))
                .badRequest();
        assertThat(bad).isEqualTo(1);
        assertThat(left.sent()).isSuccess().hasId(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    @Rule({"WR-10", "WR-11"})
    void chainIsPostedUpToItsBadRequest(int bad) {
        List<SendWorkRequest> sends = new ArrayList<>();
        List<ReceiveWorkRequest> receives = new ArrayList<>();
        for (int id = 0; id < 5; id++) {
            sends.add(id == bad ? SendWorkRequest.send(id, elements(left, 5)) : write(id));
            receives.add(ReceiveWorkRequest.of(id, elements(right, id == bad ? 5 : 4)));
        }
        left.bytes().putLong(0, 7);
        VerbsException send =
                assertRefused(Errno.EINVAL, "WR-11", () -> left.qp.postSend(sends), "num_sge=5 > max_send_sge=4");
        VerbsException receive =
                assertRefused(Errno.EINVAL, "WR-11", () -> right.qp.postRecv(receives), "num_sge=5 > max_recv_sge=4");
        assertThat(send.badRequest()).isEqualTo(bad);
        assertThat(receive.badRequest()).isEqualTo(bad);

        for (int id = 0; id < 5; id++) {
            if (id < bad) {
                assertThat(left.sent()).isSuccess().hasId(id);
            }
            assertThat(right.bytes().getLong(8 * id)).isEqualTo(id < bad ? 7 : 0);
        }
        right.qp.modify(new QpAttributes().state(QpState.ERR));
        assertThat(right.recvCq.poll(9)).extracting(WorkCompletion::id).hasSize(bad);
        assertThat(left.sendCq.poll(9)).isEmpty();
    }

    private static Sge[] elements(Side side, int count) {
        Sge[] elements = new Sge[count];
        Arrays.fill(elements, side.sge(0, 1));
        return elements;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4})
    @Rule({"WR-10", "WR-11"})
    void batchWithBadRequestIsNotPostedAtAll(int bad) {
        List<SendWorkRequest> batch = new ArrayList<>();
        for (int id = 0; id < 5; id++) {
            batch.add(id == bad ? SendWorkRequest.send(id, elements(left, 5)) : write(id));
        }
        VerbsException refused =
                assertRefused(Errno.EINVAL, "WR-11", () -> left.qp.postAll(batch), "num_sge=5 > max_send_sge=4");
        assertThat(refused.badRequest()).isEqualTo(bad);
        left.qp.postAll(List.of(write(7), write(8)));
        assertThat(left.sent()).isSuccess().hasId(7);
        assertThat(left.sent()).isSuccess().hasId(8);
    }

    @Test
    @Rule({"WR-10", "WR-11"})
    void batchForWhichThereIsNoRoomIsNotPostedAtAll() {
        int most = QpCapabilities.USUAL.maxSendWr();
        left.qp.modify(new QpAttributes().state(QpState.SQD));
        left.qp.postSend(write(0));
        List<SendWorkRequest> batch = Collections.nCopies(most, write(1));
        VerbsException full = assertRefused(Errno.ENOMEM, "WR-11", () -> left.qp.postAll(batch), "max_send_wr=" + most);
        assertThat(full.badRequest()).isEqualTo(most - 1);
        left.qp.postAll(batch.subList(1, most));
        assertRefused(Errno.ENOMEM, "WR-11", () -> left.qp.postSend(write(2)), "max_send_wr=" + most);
    }

    @Test
    void emptyChainPostsNothing() {
        left.qp.postSend(List.of());
        left.qp.postRecv(List.of());
        assertThat(left.sendCq.poll(9)).isEmpty();
    }

    @Test
    @Rule({"WR-10", "WR-11"})
    void fullQueueRefusesTheFirstRequestThatHasNoRoom() {
        int most = QpCapabilities.USUAL.maxSendWr();
        left.qp.modify(new QpAttributes().state(QpState.SQD));
        List<SendWorkRequest> sends = new ArrayList<>();
        List<ReceiveWorkRequest> receives = new ArrayList<>();
        for (int id = 0; id < most + 3; id++) {
            sends.add(write(id));
            receives.add(ReceiveWorkRequest.of(id));
        }
        VerbsException send =
                assertRefused(Errno.ENOMEM, "WR-11", () -> left.qp.postSend(sends), "max_send_wr=" + most);
        VerbsException receive =
                assertRefused(Errno.ENOMEM, "WR-11", () -> left.qp.postRecv(receives), "max_recv_wr=" + most);
        assertThat(send.badRequest()).isEqualTo(most);
        assertThat(receive.badRequest()).isEqualTo(most);
        assertThat(send.getStackTrace()).as("met as flow control").isEmpty();
        left.qp.modify(new QpAttributes().state(QpState.ERR));
        assertThat(left.sendCq.poll(2 * most)).hasSize(most);
        assertThat(left.recvCq.poll(2 * most)).hasSize(most);
    }

    @Test
    @Rule("WR-12")
    void requestsAndElementsMayBeReusedWhenThePostReturns() {
        Sge[] elements = {left.sge(0, 8), left.sge(8, 8)};
        List<SendWorkRequest> sends = new ArrayList<>();
        sends.add(SendWorkRequest.write(1, right.address(0), right.rkey(), elements));
        sends.add(SendWorkRequest.send(2, elements));
        Sge[] room = {right.sge(64, 16)};
        List<ReceiveWorkRequest> receives = new ArrayList<>(List.of(ReceiveWorkRequest.of(3, room)));
        left.bytes().putLong(0, 11).putLong(8, 12);
        left.qp.modify(new QpAttributes().state(QpState.SQD));
        left.qp.postSend(sends);
        right.qp.postRecv(receives);

        Arrays.fill(elements, new Sge(0, 0, 0));
        Arrays.fill(room, new Sge(0, 0, 0));
        sends.clear();
        receives.clear();
        left.qp.modify(new QpAttributes().state(QpState.RTS));
        assertThat(left.sent()).isSuccess().hasId(1);
        assertThat(left.sent()).isSuccess().hasId(2);
        assertThat(right.received()).isSuccess().hasId(3).hasByteLength(16);
        for (int at : new int[] {0, 64}) {
            assertThat(right.bytes().getLong(at)).isEqualTo(11);
            assertThat(right.bytes().getLong(at + 8)).isEqualTo(12);
        }
    }

    @Test
    @Rule("WR-12")
    void oneRequestObjectCanBePostedAgainAndAgain() {
        SendWorkRequest add = SendWorkRequest.fetchAndAdd(1, right.address(0), right.rkey(), 1, left.sge(0, 8));
        left.qp.postSend(List.of(add, add, add));
        left.qp.postSend(add);
        for (int i = 0; i < 4; i++) {
            assertThat(left.sent()).isSuccess().hasId(1);
        }
        assertThat(right.bytes().getLong(0)).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(names = {"SEND", "SEND_WITH_IMM", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ"})
    @Rule("WR-17")
    void messageOfMoreThanTwoToThe31BytesIsRefused(WrOpcode opcode) {
        int gib = 1 << 30;
        Sge half = new Sge(left.address(0), gib, left.region.lkey());
        Sge one = new Sge(left.address(0), 1, left.region.lkey());
        Sge most = new Sge(left.address(0), -1, left.region.lkey());
        for (Sge[] tooLong :
                new Sge[][] {{half, half, one}, {half, half, half, half}, {most}, {most, most, most, most}}) {
            SendWorkRequest request = SendWorkRequest.of(1, opcode, right.address(0), right.rkey(), 0, 0, 0, tooLong);
            assertRefused(Errno.EINVAL, "WR-17", () -> left.qp.postSend(request), "2^31");
            assertRefused(Errno.EINVAL, "WR-17", () -> left.qp.postSend(request.plus(SendFlags.FENCE)));
        }
        // Exactly 2^31 is posted; that no memory is so large shows when it executes, at one end or at the other.
        left.qp.postSend(SendWorkRequest.of(2, opcode, right.address(0), right.rkey(), 0, 0, 0, half, half));
        assertThat(left.sent())
                .hasId(2)
                .hasStatus(opcode == WrOpcode.RDMA_READ ? WcStatus.REM_ACCESS_ERR : WcStatus.LOC_PROT_ERR);
    }
}

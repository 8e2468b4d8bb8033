// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.XrcDomain;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** XRC: one sending end reaches every queue of the domain at the other side. */
@OnEveryFabric
class XrcContractTest {

    private static final int LONG = 5000;

    @Parameter
    FabricKind fabric;

    @AutoClose
    private RcPair pair;

    private Side left;
    private Side right;
    private XrcDomain domain;
    private SharedReceiveQueue srq;
    private QueuePair sender;
    private QueuePair receiver;

    @BeforeEach
    void connect() {
        pair = fabric.open(QpCapabilities.USUAL);
        left = pair.left;
        right = pair.right;
        domain = right.device.openXrcDomain();
        srq = right.pd.createSrq(SrqInitAttributes.xrc(16, domain, right.recvCq));
        sender = left.pd.createQp(QpInitAttributes.xrcSend(left.sendCq, QpCapabilities.USUAL));
        receiver = domain.createQp(QpInitAttributes.xrcReceive());
        RcConnection.USUAL.join(sender, receiver);
        for (int i = 0; i < Side.REGION_BYTES; i++) {
            left.bytes().put(i, (byte) (i * 31 + i / 256));
        }
    }

    private WorkCompletion sent(SendWorkRequest request, SharedReceiveQueue to) {
        sender.postSend(request.toSrq(to.number()));
        return left.sent();
    }

    private void assertArrived(int from, int to, int count) {
        assertThat(right.bytes().slice(to, count)).isEqualTo(left.bytes().slice(from, count));
    }

    @Test
    @Rule({"XRC-01", "SRQ-02"})
    void messagesOfEveryKindArrive() {
        for (int round = 0; round < 6; round++) {
            srq.postRecv(ReceiveWorkRequest.of(100 + round, right.sge(10_000, LONG)));
            assertThat(sent(SendWorkRequest.send(1, left.sge(round, LONG)), srq))
                    .isSuccess();
            WorkCompletion received = right.received();
            assertThat(received)
                    .isSuccess()
                    .hasId(100 + round)
                    .hasOpcode(WcOpcode.RECV)
                    .hasByteLength(LONG);
            assertThat(received.qpNumber()).isEqualTo(receiver.number());
            assertArrived(round, 10_000, LONG);
            assertThat(sent(SendWorkRequest.write(2, right.address(20_000), right.rkey(), left.sge(round, LONG)), srq))
                    .isSuccess();
            assertArrived(round, 20_000, LONG);
            assertThat(sent(SendWorkRequest.read(3, right.address(20_000), right.rkey(), left.sge(40_000, LONG)), srq))
                    .isSuccess()
                    .hasByteLength(LONG);
            assertArrived(40_000, 20_000, LONG);
            right.bytes().putLong(0, round);
            assertThat(sent(
                            SendWorkRequest.fetchAndAdd(4, right.address(0), right.rkey(), 5, left.sge(60_000, 8)),
                            srq))
                    .isSuccess();
            assertThat(left.bytes().getLong(60_000)).isEqualTo(round);
            assertThat(right.bytes().getLong(0)).isEqualTo(round + 5);
            srq.postRecv(ReceiveWorkRequest.of(200 + round));
            assertThat(sent(
                            SendWorkRequest.writeWithImmediate(
                                    5, right.address(30_000), right.rkey(), round, left.sge(0, LONG)),
                            srq))
                    .isSuccess();
            WorkCompletion written = right.received();
            assertThat(written).isSuccess().hasId(200 + round).hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM);
            assertThat(written.immediate()).isEqualTo(round);
        }
        assertThat(right.device.pollAsyncEvent()).isNull();
        assertState(receiver, QpState.RTS);
    }

    @Test
    @Rule({"XRC-01", "SRQ-06", "MR-41"})
    void queueThatIsNamedSaysWhoseMemoryItIs() {
        ProtectionDomain other = right.device.allocatePd();
        MemoryRegion ofOther = other.register(Memory.allocate(8192), Side.ALL_RIGHTS);
        CompletionQueue cq = right.device.createCq(16);
        SharedReceiveQueue second = other.createSrq(SrqInitAttributes.xrc(4, domain, cq));
        second.postRecv(ReceiveWorkRequest.of(7, ofOther.sge(0, LONG)));
        assertThat(sent(SendWorkRequest.send(1, left.sge(0, LONG)), second)).isSuccess();
        assertThat(cq.awaitCompletion(Await.LIMIT)).isSuccess().hasId(7);
        assertThat(sent(SendWorkRequest.read(2, ofOther.address(), ofOther.rkey(), left.sge(40_000, LONG)), second))
                .isSuccess();
        assertThat(sent(SendWorkRequest.read(3, ofOther.address(), ofOther.rkey(), left.sge(40_000, LONG)), srq))
                .hasStatus(WcStatus.REM_ACCESS_ERR);
        assertEvent(right.device.getAsyncEvent(Await.LIMIT), EventType.QP_ACCESS_ERR, receiver);
        assertThat(right.recvCq.poll(1)).isEmpty();
    }

    @Test
    @Rule({"XRC-01", "SRQ-03", "WC-22"})
    void emptyQueueAsksForTime() {
        sender.postSend(SendWorkRequest.send(1, left.sge(0, 8)).toSrq(srq.number()));
        srq.postRecv(ReceiveWorkRequest.of(1, right.sge(0, 8)));
        assertThat(left.sent()).isSuccess();
        assertThat(right.received()).isSuccess().hasId(1);
    }

    @Test
    @Rule({"XRC-01", "WC-28"})
    void queueThatIsNotThereIsRefused() {
        sender.postSend(SendWorkRequest.send(1, left.sge(0, 8)).toSrq(0xabcdef));
        assertThat(left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR);
        assertEvent(right.device.getAsyncEvent(Await.LIMIT), EventType.QP_REQ_ERR, receiver);
        assertState(receiver, QpState.ERR);
    }
}

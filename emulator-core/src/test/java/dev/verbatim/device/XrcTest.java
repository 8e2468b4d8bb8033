// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.XrcDomain;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** XRC, from one end to the other: an end that only sends, an end that only receives, and queues that each request names (XRC-01). */
class XrcTest {

    private static final int LONG = 5000;

    private final RcPair pair = RcPair.inProcess(QpCapabilities.USUAL);
    private final Side left = pair.left;
    private final Side right = pair.right;
    private final XrcDomain domain = right.device.openXrcDomain();
    private final SharedReceiveQueue srq = right.pd.createSrq(SrqInitAttributes.xrc(16, domain, right.recvCq));
    private final QueuePair sender = left.pd.createQp(QpInitAttributes.xrcSend(left.sendCq, QpCapabilities.USUAL));
    private final QueuePair receiver = domain.createQp(QpInitAttributes.xrcReceive());

    @BeforeEach
    void connect() {
        RcPair.WITHOUT_TIMER.join(sender, receiver);
        left.bytes().put(0, Packets.pattern(7, Side.REGION_BYTES));
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private WorkCompletion sent(SendWorkRequest request) {
        sender.postSend(request.toSrq(srq.number()));
        return left.sent();
    }

    private void assertArrived(int from, int to, int count) {
        byte[] expected = new byte[count];
        byte[] actual = new byte[count];
        left.bytes().get(from, expected);
        right.bytes().get(to, actual);
        assertThat(actual).isEqualTo(expected);
        asserted();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, LONG})
    @Rule({"XRC-01", "SRQ-02"})
    void sendTakesAReceiveOfTheQueueThatItNames(int count) {
        srq.postRecv(ReceiveWorkRequest.of(100, right.sge(1000, LONG)));
        assertThat(sent(SendWorkRequest.send(1, left.sge(0, count))))
                .isSuccess()
                .hasId(1);
        WorkCompletion received = right.received();
        assertThat(received).isSuccess().hasId(100).hasOpcode(WcOpcode.RECV).hasByteLength(count);
        assertThat(received.qpNumber()).isEqualTo(receiver.number());
        assertArrived(0, 1000, count);
    }

    @Test
    @Rule("XRC-01")
    void immediateDataArrivesWithSendsAndWrites() {
        srq.postRecv(List.of(ReceiveWorkRequest.of(100, right.sge(1000, 8)), ReceiveWorkRequest.of(101)));
        assertThat(sent(SendWorkRequest.sendWithImmediate(1, 77, left.sge(0, 8))))
                .isSuccess();
        WorkCompletion first = right.received();
        assertThat(first).isSuccess().hasId(100).hasFlags(WcFlags.WITH_IMM);
        assertThat(first.immediate()).isEqualTo(77);
        assertThat(sent(SendWorkRequest.writeWithImmediate(2, right.address(0), right.rkey(), 78, left.sge(100, LONG))))
                .isSuccess();
        WorkCompletion second = right.received();
        assertThat(second)
                .isSuccess()
                .hasId(101)
                .hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM)
                .hasByteLength(LONG);
        assertThat(second.immediate()).isEqualTo(78);
        assertArrived(100, 0, LONG);
    }

    @Test
    @Rule("XRC-01")
    void writesReadsAndAtomicsWork() {
        assertThat(sent(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, LONG))))
                .isSuccess();
        assertArrived(0, 0, LONG);
        assertThat(sent(SendWorkRequest.read(2, right.address(0), right.rkey(), left.sge(20_000, LONG))))
                .isSuccess();
        assertArrived(20_000, 0, LONG);
        right.bytes().putLong(8, 5);
        assertThat(sent(SendWorkRequest.fetchAndAdd(3, right.address(8), right.rkey(), 2, left.sge(0, 8))))
                .isSuccess();
        assertThat(left.bytes().getLong(0)).isEqualTo(5);
        assertThat(sent(SendWorkRequest.compareAndSwap(4, right.address(8), right.rkey(), 7, 9, left.sge(0, 8))))
                .isSuccess();
        assertThat(right.bytes().getLong(8)).isEqualTo(9);
        assertThat(right.recvCq.poll(1)).isEmpty();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.RcConnection;
import dev.verbatim.UcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** A device that talks to itself, and a queue pair that does, on every fabric (QV-12). */
@OnEveryFabric
class LoopbackContractTest {

    private static final int COUNT = 10_000;
    private static final int THERE = Side.REGION_BYTES / 2;
    private static final int KEY = 0x1234;

    @Parameter
    FabricKind fabric;

    @AutoClose
    private RcPair pair;

    private Side side;

    @BeforeEach
    void open() {
        pair = fabric.open(QpCapabilities.USUAL);
        side = pair.left;
        side.bytes().put(0, Packets.pattern(0, COUNT));
    }

    private QueuePair queuePair(QpType type) {
        return side.pd.createQp(
                new QpInitAttributes(type, side.sendCq, side.recvCq, QpCapabilities.USUAL, false, null));
    }

    private void assertArrived(int at, int count) {
        byte[] bytes = new byte[count];
        side.bytes().get(at, bytes);
        assertThat(bytes).isEqualTo(Packets.pattern(0, count));
        side.bytes().put(at, new byte[count]);
        asserted();
    }

    @Test
    @Rule("QV-12")
    void reliableQueuePairIsItsOwnPeer() {
        QueuePair self = side.qp;
        RcConnection.USUAL.join(self, self);
        exchange(self, self);
        self.postSend(SendWorkRequest.read(5, side.address(0), side.rkey(), side.sge(THERE, COUNT)));
        assertThat(side.sent()).isSuccess().hasId(5).hasByteLength(COUNT);
        assertArrived(THERE, COUNT);
        side.bytes().putLong(THERE, 40);
        self.postSend(SendWorkRequest.fetchAndAdd(6, side.address(THERE), side.rkey(), 2, side.sge(THERE + 8, 8)));
        assertThat(side.sent()).isSuccess().hasId(6);
        assertThat(side.bytes().getLong(THERE)).isEqualTo(42);
        assertThat(side.bytes().getLong(THERE + 8)).isEqualTo(40);
    }

    @Test
    @Rule("QV-12")
    void reliableRequestToItselfThatIsRefusedEndsTheQueuePair() {
        QueuePair self = side.qp;
        RcConnection.USUAL.join(self, self);
        self.postSend(SendWorkRequest.write(1, side.address(0), 0xbad, side.sge(0, 8)));
        WcStatus status = side.sent().status();
        // It fails as a responder first, and what it asks is flushed with it; or its own NAK is quicker.
        assertThat(status).isIn(WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR);
        assertState(self, QpState.ERR);
    }

    @Test
    void twoReliableQueuePairsOfOneDeviceTalk() {
        QueuePair other = queuePair(QpType.RC);
        RcConnection.USUAL.join(side.qp, other);
        exchange(side.qp, other);
    }

    @Test
    @Rule("QV-12")
    void unreliableQueuePairIsItsOwnPeer() {
        QueuePair self = queuePair(QpType.UC);
        UcConnection.USUAL.join(self, self);
        exchange(self, self);
    }

    private void exchange(QueuePair from, QueuePair to) {
        to.postRecv(ReceiveWorkRequest.of(11, side.sge(THERE, COUNT)));
        to.postRecv(ReceiveWorkRequest.of(12));
        from.postSend(SendWorkRequest.send(1, side.sge(0, COUNT)));
        assertThat(side.sent()).isSuccess().hasId(1);
        assertThat(side.received()).isSuccess().hasId(11).hasByteLength(COUNT);
        assertArrived(THERE, COUNT);
        from.postSend(SendWorkRequest.write(2, side.address(THERE), side.rkey(), side.sge(0, COUNT)));
        from.postSend(SendWorkRequest.writeWithImmediate(3, side.address(0), side.rkey(), 7));
        assertThat(side.sent()).isSuccess().hasId(2);
        assertThat(side.sent()).isSuccess().hasId(3);
        assertThat(side.received()).isSuccess().hasId(12).hasByteLength(0);
        assertArrived(THERE, COUNT);
    }

    @Test
    @Rule({"QV-12", "UD-01"})
    void datagramsGoToTheirOwnQueuePairToOthersOfTheDeviceAndToPeersInTurn() {
        QueuePair self = queuePair(QpType.UD);
        QueuePair other = queuePair(QpType.UD);
        Side right = pair.right;
        QueuePair peer = right.pd.createQp(QpInitAttributes.ud(right.sendCq, right.recvCq, QpCapabilities.USUAL));
        new UdReadiness(KEY).toRts(self, other, peer);
        AddressHandle here =
                side.pd.createAddressHandle(AddressVector.to(side.device.gid()).withGrh(0xa5, 0xf_1234, 7));
        AddressHandle there = side.pd.createAddressHandle(AddressVector.to(right.device.gid()));
        int rounds = 20;
        for (int i = 0; i < rounds; i++) {
            self.postRecv(ReceiveWorkRequest.of(100 + i, side.sge(THERE, 1000)));
            other.postRecv(ReceiveWorkRequest.of(200 + i, side.sge(THERE + 1000, 1000)));
            peer.postRecv(ReceiveWorkRequest.of(300 + i, right.sge(0, 1000)));
        }
        for (int i = 0; i < rounds; i++) {
            SendWorkRequest request = SendWorkRequest.send(i, side.sge(0, i));
            self.postSend(request.to(here, self.number(), KEY));
            self.postSend(request.to(there, peer.number(), KEY));
            self.postSend(request.to(here, other.number(), KEY));
        }
        for (int i = 0; i < 3 * rounds; i++) {
            assertThat(side.sent()).isSuccess().hasId(i / 3);
        }
        int[] next = {100, 200};
        for (int i = 0; i < 2 * rounds; i++) {
            var received = side.received();
            int which = received.qpNumber() == self.number() ? 0 : 1;
            assertThat(received).isSuccess().hasId(next[which]).hasByteLength(Grh.BYTES + next[which] % 100);
            assertThat(received.sourceQp()).isEqualTo(self.number());
            next[which]++;
        }
        for (int i = 0; i < rounds; i++) {
            assertThat(right.received()).isSuccess().hasId(300 + i).hasByteLength(Grh.BYTES + i);
        }
        Grh grh = Grh.parse(side.bytes(), THERE);
        assertThat(grh.source()).isEqualTo(grh.destination()).isEqualTo(side.device.gid());
        assumeThat(fabric.showsGrh()).isTrue();
        assertThat(grh.trafficClass()).isEqualTo(0xa5);
        assertThat(grh.flowLabel()).isEqualTo(0xf_1234);
        assertThat(grh.hopLimit()).isEqualTo(7);
    }
}

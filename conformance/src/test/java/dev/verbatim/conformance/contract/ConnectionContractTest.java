// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.conformance.contract.ConnectingSides.expect;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.cm.PortSpace;
import dev.verbatim.cm.RejectReason;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Connections, on every fabric. */
@OnEveryFabric
class ConnectionContractTest {

    /** Their carrier tells that a device is gone. */
    private static final Set<FabricKind> TELLING = EnumSet.of(
            FabricKind.IN_PROCESS, FabricKind.UNWATCHED, FabricKind.UNWATCHED_BY_PACKETS, FabricKind.ONE_LOOP);

    @Parameter
    FabricKind fabric;

    @AutoClose
    private ConnectingSides sides;

    private Side left;
    private Side right;
    private EventChannel near;
    private EventChannel far;

    @BeforeEach
    void open() {
        sides = new ConnectingSides(fabric, ConnectingSides.BRISK);
        left = sides.left;
        right = sides.right;
        near = sides.near;
        far = sides.far;
    }

    @Test
    @Rule({"CM-06", "CM-07", "CM-08", "CM-15", "CM-18", "CM-19"})
    void connectedQueuePairsCarryDataUntilOneSideEndsIt() {
        CmId listener = sides.listen(PortSpace.TCP, 0);
        CmId asking = sides.connecting(ConnectionParameters.USUAL
                .withPrivateData((byte) 1)
                .withResponderResources(3)
                .withInitiatorDepth(2));
        CmEvent request = expect(far, CmEventType.CONNECT_REQUEST);
        assertThat(request.privateData()).isEqualTo(Arrays.copyOf(new byte[] {1}, 56));
        assertThat(request.parameters().responderResources()).isEqualTo(2);
        assertThat(request.parameters().initiatorDepth()).isEqualTo(3);
        CmId asked = request.id();
        QueuePair receiver = sides.createQp(asked);
        receiver.postRecv(ReceiveWorkRequest.of(11, right.sge(0, 64)));
        asked.accept(ConnectionParameters.USUAL.withPrivateData((byte) 2));
        CmEvent established = expect(near, CmEventType.ESTABLISHED);
        assertThat(established.privateData()).isEqualTo(Arrays.copyOf(new byte[] {2}, 196));
        QueuePair sender = asking.qp();
        assertThat(sender).isNotNull();
        left.bytes().put(0, Packets.pattern(0, 64));
        // The peer may send as soon as it has confirmed.
        sender.postSend(SendWorkRequest.send(1, left.sge(0, 64)));
        assertThat(left.sent()).isSuccess().hasId(1);
        assertThat(right.received()).isSuccess().hasId(11).hasByteLength(64);
        byte[] bytes = new byte[64];
        right.bytes().get(0, bytes);
        assertThat(bytes).isEqualTo(Packets.pattern(0, 64));
        sender.postSend(SendWorkRequest.read(2, right.address(0), right.rkey(), left.sge(64, 64)));
        assertThat(left.sent()).isSuccess().hasId(2);
        expect(far, CmEventType.ESTABLISHED);

        asking.disconnect();
        assertThat(sender.state()).isEqualTo(QpState.ERR);
        expect(far, CmEventType.DISCONNECTED);
        asked.disconnect();
        assertThat(receiver.state()).isEqualTo(QpState.ERR);
        assertThat(expect(near, CmEventType.DISCONNECTED).status()).isZero();
        expect(near, CmEventType.TIMEWAIT_EXIT);
        expect(far, CmEventType.TIMEWAIT_EXIT);
        for (CmId id : new CmId[] {asking, asked}) {
            id.destroyQp();
            id.close();
        }
        listener.close();
        near.close();
        far.close();
    }

    @Test
    @Rule({"CM-15", "CM-21"})
    void refusalSaysWhoRefusesAndWhy() {
        CmId early = sides.connecting(ConnectionParameters.USUAL);
        assertThat(expect(near, CmEventType.REJECTED).rejectReason()).isEqualTo(RejectReason.INVALID_SERVICE_ID);
        sides.listen(PortSpace.TCP, 0);
        CmId asking = sides.connecting(ConnectionParameters.USUAL);
        expect(far, CmEventType.CONNECT_REQUEST).id().reject((byte) 9);
        CmEvent event = expect(near, CmEventType.REJECTED);
        assertThat(event.rejectReason()).isEqualTo(RejectReason.CONSUMER_DEFINED);
        assertThat(event.privateData()).isEqualTo(Arrays.copyOf(new byte[] {9}, 148));
        early.close();
        asking.close();
    }

    @Test
    @Rule({"CM-12", "CM-15", "CM-17"})
    void whoIsNotHeardIsUnreachable() {
        CmId listener = sides.listen(PortSpace.TCP, 1);
        CmId first = sides.connecting(ConnectionParameters.USUAL);
        CmId second = sides.connecting(ConnectionParameters.USUAL);
        CmEvent event = expect(near, CmEventType.UNREACHABLE);
        assertThat(event.id()).isSameAs(second);
        assertThat(event.status()).isEqualTo(-110);
        // The first is known there, and waits as long as it is told to.
        second.close();
        listener.close();
        assertThat(expect(near, CmEventType.REJECTED).id()).isSameAs(first);
    }

    @Test
    @Rule({"CM-12", "CM-15", "CM-26"})
    void peerWhoseDeviceIsGoneIsMissedByAllWhoTalkedToIt() {
        CmId listener = sides.listen(PortSpace.TCP, 0);
        CmId[] ends = sides.connected();
        CmId waiting = sides.connecting(ConnectionParameters.USUAL);
        CmId request = expect(far, CmEventType.CONNECT_REQUEST).id();
        right.device.closeAll();
        for (CmId each : new CmId[] {listener, ends[1], request}) {
            assertThat(expect(far, CmEventType.DEVICE_REMOVAL).id()).isSameAs(each);
            assertRefused(Errno.ENODEV, "CM-26", () -> each.listen(0));
            each.close();
        }
        far.close();
        // Where the carrier does not tell, nobody finds out who does not try.
        boolean isTold = TELLING.contains(fabric);
        if (!isTold) {
            ends[0].disconnect();
        }
        List<CmEvent> missed = List.of(next(), next());
        assertThat(missed)
                .extracting(CmEvent::id, CmEvent::type, CmEvent::status)
                .containsExactlyInAnyOrder(
                        tuple(ends[0], CmEventType.DISCONNECTED, isTold ? 0 : -110),
                        isTold
                                ? tuple(waiting, CmEventType.REJECTED, RejectReason.CONSUMER_DEFINED.number())
                                : tuple(waiting, CmEventType.UNREACHABLE, -110));
        if (isTold) {
            ends[0].disconnect(); // as who hears of it has to
        }
        QueuePair sender = ends[0].qp();
        assertThat(sender).isNotNull();
        assertThat(sender.state()).isEqualTo(QpState.ERR);
        ends[0].close();
        waiting.close();
        near.close();
    }

    /** The next event that is not about a connection that is over anyway. */
    private CmEvent next() {
        CmEvent event = near.getEvent(Await.LIMIT);
        assertThat(event).isNotNull();
        event.acknowledge();
        return event.type() == CmEventType.TIMEWAIT_EXIT ? next() : event;
    }

    @Test
    @Rule("CM-22")
    void datagramServiceTellsItsQueuePair() {
        sides.listen(PortSpace.UDP, 0);
        QpInitAttributes sending = QpInitAttributes.ud(left.sendCq, left.recvCq, QpCapabilities.USUAL);
        QpInitAttributes receiving = QpInitAttributes.ud(right.sendCq, right.recvCq, QpCapabilities.USUAL);
        CmId asking = sides.resolved(PortSpace.UDP, sending);
        asking.connect(ConnectionParameters.USUAL);
        CmId asked = expect(far, CmEventType.CONNECT_REQUEST).id();
        QueuePair receiver = asked.createQp(right.pd, receiving);
        receiver.postRecv(ReceiveWorkRequest.of(11, right.sge(0, 100)));
        asked.accept(ConnectionParameters.USUAL);
        CmEvent told = expect(near, CmEventType.ESTABLISHED);
        QueuePair sender = asking.qp();
        assertThat(sender).isNotNull();
        assertThat(told.addressVector()).isNotNull();
        try (AddressHandle there = left.pd.createAddressHandle(told.addressVector())) {
            sender.postSend(SendWorkRequest.send(1, left.sge(0, 16))
                    .to(there, told.parameters().qpNumber(), told.queueKey()));
            assertThat(left.sent()).isSuccess().hasId(1);
            assertThat(right.received()).isSuccess().hasId(11).hasByteLength(Grh.BYTES + 16);
        }
    }
}

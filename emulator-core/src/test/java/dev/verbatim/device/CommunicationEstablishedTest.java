// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** COMM_EST, which tells a program in RTR that its peer has begun (QP-27). */
class CommunicationEstablishedTest {

    private static final int PSN = 100;
    private static final RcConnection.Endpoint PEER = new RcConnection.Endpoint(Dialogue.PEER, Dialogue.PEER_QP, PSN);

    @AutoClose
    private final Dialogue dialogue = Dialogue.unconnected(DeviceProfile.STRICT_IBTA);

    private final Side side = dialogue.side;

    @BeforeEach
    void readyToReceive() {
        Dialogue.USUAL.readyToReceive(side.qp, PEER);
    }

    private Packet write(int psn) {
        Packet packet = new Packet()
                .begin(Opcode.RDMA_WRITE_ONLY)
                .psn(psn)
                .remoteAddress(side.address(0))
                .remoteKey(side.rkey())
                .dmaLengthBytes(8)
                .ackRequest(true);
        packet.payload().add(side.bytes(), 64, 8);
        return packet;
    }

    @Test
    @Rule("QP-27")
    void firstRequestInReadyToReceiveRaisesItOnce() {
        dialogue.sends(write(PSN), write(PSN + 1)).expects(Packets.ack(PSN + 1));
        assertEvent(side.device.pollAsyncEvent(), EventType.COMM_EST, side.qp);
        assertThat(side.device.pollAsyncEvent()).isNull();

        Dialogue.USUAL.readyToSend(side.qp, 1);
        dialogue.sends(write(PSN + 2));
        dialogue.expects(Packets.ack(PSN + 2));
        assertState(side.qp, QpState.RTS);
        assertThat(side.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule("QP-27")
    void firstRequestInReadyToSendRaisesNothing() {
        Dialogue.USUAL.readyToSend(side.qp, 1);
        dialogue.sends(write(PSN));
        dialogue.expects(Packets.ack(PSN));
        assertThat(side.device.pollAsyncEvent()).isNull();

        // Only a new life begins with it again.
        side.qp.modify(new QpAttributes().state(QpState.RESET));
        Dialogue.USUAL.readyToReceive(side.qp, PEER);
        dialogue.sends(write(PSN));
        dialogue.expects(Packets.ack(PSN));
        assertEvent(side.device.pollAsyncEvent(), EventType.COMM_EST, side.qp);
    }

    @Test
    @Rule("QP-27")
    void packetThatIsDroppedDoesNotRaiseIt() {
        dialogue.sends(new Packet().begin(Opcode.ACKNOWLEDGE).psn(PSN));
        dialogue.sends(write(PSN - 1));
        dialogue.sends(write(PSN + 1));
        dialogue.sends(write(PSN).pkey(0x8001));
        assertThat(side.device.pollAsyncEvent()).isNull();
        dialogue.sends(write(PSN));
        assertEvent(side.device.pollAsyncEvent(), EventType.COMM_EST, side.qp);
    }
}

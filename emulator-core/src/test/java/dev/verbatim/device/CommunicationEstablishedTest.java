// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.RawPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** COMM_EST, which tells a program in RTR that its peer has begun (QP-27). */
class CommunicationEstablishedTest {

    private final RawPair pair = new RawPair(QpCapabilities.USUAL);
    private final Side side = pair.side;

    @BeforeEach
    void readyToReceive() {
        pair.readyToReceive(RawPair.PATIENT);
    }

    @AfterEach
    void close() {
        pair.close();
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
        pair.say(write(RawPair.FIRST_PSN));
        pair.say(write(RawPair.FIRST_PSN + 1));
        pair.next();
        pair.next();
        assertEvent(side.device.pollAsyncEvent(), EventType.COMM_EST, side.qp);
        assertThat(side.device.pollAsyncEvent()).isNull();

        RawPair.PATIENT.readyToSend(side.qp, 1);
        pair.say(write(RawPair.FIRST_PSN + 2));
        pair.next();
        assertState(side.qp, QpState.RTS);
        assertThat(side.device.pollAsyncEvent()).isNull();
    }

    @Test
    @Rule("QP-27")
    void firstRequestInReadyToSendRaisesNothing() {
        RawPair.PATIENT.readyToSend(side.qp, 1);
        pair.say(write(RawPair.FIRST_PSN));
        pair.next();
        assertThat(side.device.pollAsyncEvent()).isNull();

        // Only a new life begins with it again.
        side.qp.modify(new QpAttributes().state(QpState.RESET));
        pair.readyToReceive(RawPair.PATIENT);
        pair.say(write(RawPair.FIRST_PSN));
        pair.next();
        assertEvent(side.device.pollAsyncEvent(), EventType.COMM_EST, side.qp);
    }

    @Test
    @Rule("QP-27")
    void packetThatIsDroppedDoesNotRaiseIt() {
        pair.say(new Packet().begin(Opcode.ACKNOWLEDGE).psn(RawPair.FIRST_PSN));
        pair.say(write(RawPair.FIRST_PSN - 1));
        pair.say(write(RawPair.FIRST_PSN + 1));
        pair.say(write(RawPair.FIRST_PSN).pkey(0x8001));
        assertThat(side.device.pollAsyncEvent()).isNull();
        pair.say(write(RawPair.FIRST_PSN));
        assertEvent(side.device.pollAsyncEvent(), EventType.COMM_EST, side.qp);
    }
}

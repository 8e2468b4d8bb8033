// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.transport.netty.roce.datagram.DropReason;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Datagrams as adapters send them and soft-RoCE does not: the M bit, credits in each acknowledgement, one acknowledgement for several
 * requests, acknowledgements that come late or twice.
 */
@Timeout(600)
class AdapterDatagramsTest {

    private static final InetAddress DEVICE = LoopbackAddress.of(91);
    private static final InetAddress ADAPTER = LoopbackAddress.of(92);
    private static final int ADAPTER_QP = 0x1a2b3c;
    private static final int FIRST_PSN = 0xfffffe;
    private static final int CREDITS_OF_32768 = 0x1e;
    private static final int WINDOW_PACKETS = 16;
    private static final int NO_TIMEOUT = 0;
    private static final int FOUR_MILLISECONDS = 10;

    private final RecordingTap tap = new RecordingTap();
    private RoceEnd end;
    private PlayedAdapter adapter;
    private Side side;
    private int done;

    @BeforeEach
    void open() throws IOException {
        adapter = new PlayedAdapter(ADAPTER, DEVICE);
        end = RoceEnd.open(
                RoceOptions.at(DEVICE).withPeers(RoceOptions.Peers.VERBATIM).withSendWindowPackets(WINDOW_PACKETS),
                tap);
        side = end.side(QpCapabilities.USUAL, QpType.RC);
    }

    /** The peer of the queue pair is the adapter; both begin two packets before PSN 0. */
    private void connect(int timeoutCode) {
        connect(timeoutCode, FIRST_PSN);
    }

    private void connect(int timeoutCode, int firstPsn) {
        RcConnection connection =
                RcConnection.USUAL.withPathMtu(PathMtu.MTU_1024).withRetries(timeoutCode, 7, 7, 1);
        connection.readyToReceive(side.qp, new RcConnection.Endpoint(Gid.of(ADAPTER), ADAPTER_QP, firstPsn));
        connection.readyToSend(side.qp, firstPsn);
    }

    @AfterEach
    void close() {
        end.close();
        adapter.close();
    }

    private void acknowledge(Packet last, int syndrome, int messages) throws IOException {
        done += messages;
        adapter.send(new Packet()
                .begin(Opcode.ACKNOWLEDGE, side.qp.number(), last.psn())
                .answer(syndrome, done));
    }

    private void postWrite(long id, int lengthBytes) {
        side.qp.postSend(SendWorkRequest.write(id, 0x1000, 0x77, side.sge(0, lengthBytes)));
    }

    /** The adapter gets no packet more until it acknowledges, and the trace says why. */
    @Test
    void unacknowledgedPacketsAreBoundedByTheWindowThatTheTraceNames() throws IOException {
        connect(NO_TIMEOUT);
        assertThat(tap.events(TraceEvent.CarrierReported.class))
                .singleElement()
                .satisfies(event -> assertThat(event.reason()).isEqualTo("WINDOW"))
                .satisfies(event -> assertThat(event.sentence()).contains("sendWindowPackets=16"))
                .satisfies(event -> assertThat(event.peer()).isEqualTo(Gid.of(ADAPTER)));
        postWrite(1, 20 * 1024);
        Packet last = adapter.next(Opcode.RDMA_WRITE_FIRST);
        boolean asked = last.ackRequest();
        for (int sent = 2; sent <= WINDOW_PACKETS; sent++) {
            last = adapter.next(Opcode.RDMA_WRITE_MIDDLE);
            asked |= last.ackRequest();
        }
        assertThat(asked).isTrue();
        // It waits for the turn of the lane in which the packets were sent.
        assertThat(side.qp.query().pathMtu()).isEqualTo(PathMtu.MTU_1024);
        assertThat(tap.events(TraceEvent.PacketSent.class)).hasSize(WINDOW_PACKETS);
        acknowledge(last, CREDITS_OF_32768, 0);
        while (last.opcode() != Opcode.RDMA_WRITE_LAST) {
            last = adapter.next();
        }
        acknowledge(last, CREDITS_OF_32768, 1);
        assertThat(side.sent()).isSuccess().hasId(1);
    }

    @Test
    void everyCreditSyndromeAcknowledgesWritesAndSends() throws IOException {
        connect(NO_TIMEOUT);
        for (int syndrome = 0; syndrome <= Syndrome.ACK_NO_CREDIT; syndrome++) {
            postWrite(syndrome, 8);
            acknowledge(adapter.next(Opcode.RDMA_WRITE_ONLY), syndrome, 1);
            assertThat(side.sent()).isSuccess().hasId(syndrome);
            side.qp.postSend(SendWorkRequest.send(100 + syndrome, side.sge(0, 2000)));
            assertThat(adapter.next(Opcode.SEND_FIRST).ackRequest()).isFalse();
            acknowledge(adapter.next(Opcode.SEND_LAST), syndrome, 1);
            assertThat(side.sent()).isSuccess().hasId(100 + syndrome);
        }
    }

    /** Their identification is not 0, which a socket does not show. */
    @Test
    void capturedAcknowledgementsAreReadAndTheirIdentificationIsRecovered() throws IOException {
        Packet packet = new Packet();
        AdapterVectors vectors = new AdapterVectors(false);
        assertThat(vectors.read(AdapterVectors.ACKNOWLEDGE, packet)).isNull();
        assertThat(vectors.read(AdapterVectors.COALESCED_ACKNOWLEDGE, packet)).isNull();
        assertThat(packet.opcode()).isEqualTo(Opcode.ACKNOWLEDGE);
        assertThat(packet.migRequest()).isTrue();
        assertThat(packet.destQp()).isEqualTo(AdapterVectors.DESTINATION_QP);
        assertThat(packet.psn()).isEqualTo(0xcf7bf9);
        assertThat(packet.syndrome()).isZero();
        assertThat(packet.messageSequence()).isEqualTo(4);
        AdapterVectors strict = new AdapterVectors(true);
        assertThat(strict.read(AdapterVectors.ACKNOWLEDGE, packet)).isEqualTo(DropReason.ICRC);
        assertThat(strict.sentence()).contains("with IPv4 identification " + 0x9d4e + " it is right");
    }

    /** Only the queue pair number is another one, and so the ICRC. */
    @Test
    void capturedAcknowledgementsCompleteTwoRequestsEach() throws IOException {
        connect(NO_TIMEOUT, AdapterVectors.FIRST_PSN);
        AdapterVectors vectors = new AdapterVectors(false);
        for (int id = 0; id < 4; id++) {
            postWrite(id, 8);
            adapter.next(Opcode.RDMA_WRITE_ONLY);
            if (id % 2 == 1) {
                Packet packet = new Packet();
                vectors.read(id == 1 ? AdapterVectors.ACKNOWLEDGE : AdapterVectors.COALESCED_ACKNOWLEDGE, packet);
                adapter.send(packet.destQp(side.qp.number()));
                assertThat(side.sent()).isSuccess().hasId(id - 1);
                assertThat(side.sent()).isSuccess().hasId(id);
            }
        }
    }

    @Test
    void oneAcknowledgementCompletesAllRequestsBeforeIt() throws IOException {
        connect(NO_TIMEOUT);
        Packet last = new Packet();
        for (int id = 0; id < 8; id++) {
            postWrite(id, 8);
            last = adapter.next(Opcode.RDMA_WRITE_ONLY);
        }
        acknowledge(last, CREDITS_OF_32768, 8);
        for (int id = 0; id < 8; id++) {
            assertThat(side.sent()).isSuccess().hasId(id);
        }
    }

    /** An adapter need not acknowledge the WRITE: the answer to the READ behind it does. */
    @Test
    void answerToAReadAcknowledgesTheRequestsBeforeIt() throws IOException {
        connect(NO_TIMEOUT);
        postWrite(1, 8);
        adapter.next(Opcode.RDMA_WRITE_ONLY);
        side.qp.postSend(SendWorkRequest.read(2, 0x1000, 0x77, side.sge(64, 8)));
        Packet request = adapter.next(Opcode.RDMA_READ_REQUEST);
        Packet answer = new Packet()
                .begin(Opcode.RDMA_READ_RESPONSE_ONLY, side.qp.number(), request.psn())
                .answer(CREDITS_OF_32768, 2);
        answer.payload().add(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), 0, 8);
        adapter.send(answer);
        assertThat(side.sent()).isSuccess().hasId(1);
        assertThat(side.sent()).isSuccess().hasId(2);
        assertThat(side.bytes().get(71)).isEqualTo((byte) 8);
    }

    @Test
    void acknowledgementInTheMiddleOfAMessageCompletesNothingAndAnOldOneChangesNothing() throws IOException {
        connect(NO_TIMEOUT);
        postWrite(1, 5000);
        adapter.next(Opcode.RDMA_WRITE_FIRST);
        adapter.next(Opcode.RDMA_WRITE_MIDDLE);
        Packet middle = adapter.next(Opcode.RDMA_WRITE_MIDDLE);
        adapter.next(Opcode.RDMA_WRITE_MIDDLE);
        Packet last = adapter.next(Opcode.RDMA_WRITE_LAST);
        acknowledge(middle, CREDITS_OF_32768, 0);
        awaitReceived(1);
        assertThat(side.sendCq.poll(new WorkCompletion[] {new WorkCompletion()}))
                .isZero();
        acknowledge(last, CREDITS_OF_32768, 1);
        assertThat(side.sent()).isSuccess().hasId(1);
        postWrite(2, 8);
        Packet second = adapter.next(Opcode.RDMA_WRITE_ONLY);
        acknowledge(middle, CREDITS_OF_32768, 0);
        acknowledge(last, CREDITS_OF_32768, 0);
        awaitReceived(4);
        assertThat(side.sendCq.poll(new WorkCompletion[] {new WorkCompletion()}))
                .isZero();
        acknowledge(second, CREDITS_OF_32768, 1);
        assertThat(side.sent()).isSuccess().hasId(2);
    }

    private void awaitReceived(int packets) {
        Await.until(
                packets + " packets received",
                () -> tap.events(TraceEvent.PacketReceived.class).size() >= packets);
    }

    /** It comes when the request was sent again, and again for the second copy. */
    @Test
    void acknowledgementThatComesLateCompletesARequestOnce() throws IOException {
        connect(FOUR_MILLISECONDS);
        postWrite(1, 8);
        Packet first = adapter.next(Opcode.RDMA_WRITE_ONLY);
        Packet second = adapter.next(Opcode.RDMA_WRITE_ONLY);
        assertThat(second.psn()).isEqualTo(first.psn());
        acknowledge(first, CREDITS_OF_32768, 1);
        acknowledge(second, CREDITS_OF_32768, 0);
        assertThat(side.sent()).isSuccess().hasId(1);
        awaitReceived(2);
        assertThat(side.sendCq.poll(new WorkCompletion[] {new WorkCompletion()}))
                .isZero();
        assertThat(side.qp.state()).isEqualTo(QpState.RTS);
    }

    /** Also with FECN and BECN, which a switch may set, and an acknowledgement asked for in the middle. */
    @Test
    void requestsOfAnAdapterAreExecutedAndAnswered() throws IOException {
        connect(NO_TIMEOUT);
        byte[] payload = new byte[2100];
        new Random(1).nextBytes(payload);
        Opcode[] opcodes = {Opcode.RDMA_WRITE_FIRST, Opcode.RDMA_WRITE_MIDDLE, Opcode.RDMA_WRITE_LAST};
        for (int i = 0; i < opcodes.length; i++) {
            Packet request = new Packet().begin(opcodes[i], side.qp.number(), FIRST_PSN + i & 0xffffff);
            if (i == 0) {
                request.remoteRange(side.address(0), side.rkey(), payload.length);
            }
            request.ackRequest(i > 0).fecn(true).becn(true);
            request.payload().add(ByteBuffer.wrap(payload), 1024 * i, Math.min(1024, payload.length - 1024 * i));
            adapter.send(request);
        }
        Packet answer = adapter.next(Opcode.ACKNOWLEDGE);
        while (answer.psn() != 0) {
            answer = adapter.next(Opcode.ACKNOWLEDGE);
        }
        assertThat(Syndrome.isAck(answer.syndrome())).isTrue();
        assertThat(answer.messageSequence()).isEqualTo(1);
        assertThat(answer.destQp()).isEqualTo(ADAPTER_QP);
        byte[] written = new byte[payload.length];
        side.bytes().get(0, written);
        assertThat(written).isEqualTo(payload);
        side.qp.postRecv(ReceiveWorkRequest.of(5, side.sge(8192, 64)));
        adapter.send(new Packet()
                .begin(Opcode.SEND_ONLY, side.qp.number(), 1)
                .solicited(true)
                .ackRequest(true));
        assertThat(side.received()).isSuccess().hasId(5);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.Mra;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.SidrRep;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A connection told in words. */
class ConnectionLabelTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final ConnectionParameters USUAL = ConnectionParameters.USUAL;

    /** What one side has. */
    private record Side(Device device, ProtectionDomain pd, QpInitAttributes attributes) {
        static Side of(Device device) {
            CompletionQueue cq = device.createCq(4);
            return new Side(device, device.allocatePd(), QpInitAttributes.rc(cq));
        }
    }

    @Test
    void connectionReadsAsADialogue() {
        RecordingTap tap = new RecordingTap();
        try (Simulation simulation =
                new Simulation(Schedule.by(Choices.canonical(), OpenChoices.NONE), SimulationOptions.USUAL).tap(tap)) {
            Side server = Side.of(simulation.open("server"));
            Side client = Side.of(simulation.open("client"));
            InetSocketAddress there =
                    new InetSocketAddress(server.device().gid().toInetAddress(), 7174);
            ListeningEndpoint listener = Endpoint.listen(server.device(), there, 0);
            simulation.node("server", node -> {
                ConnectionRequest request = listener.getRequest(PATIENCE);
                try (Endpoint end =
                        request.accept(server.pd(), server.attributes(), USUAL.withPrivateData((byte) 2), PATIENCE)) {
                    end.awaitDisconnected(PATIENCE);
                    end.disconnect(PATIENCE);
                }
            });
            simulation.node("client", node -> {
                try (Endpoint end = Endpoint.connect(
                        client.device(),
                        there,
                        client.pd(),
                        client.attributes(),
                        USUAL.withPrivateData("hello".getBytes(StandardCharsets.US_ASCII)),
                        PATIENCE)) {
                    end.disconnect(PATIENCE);
                }
            });
            assertThat(simulation.run()).isTrue();
        }
        assertThat(tap.events(PacketSent.class))
                .extracting(sent -> sent.device() + ": " + PacketLabel.of(sent.packet()))
                .satisfiesExactly(
                        req -> assertThat(req)
                                .matches(
                                        "client: REQ for port 7174: my qp 0x\\w+ expects psn=\\d+ first, 5 B of private data"),
                        rep -> assertThat(rep)
                                .matches(
                                        "server: REP accepts: my qp 0x\\w+ expects psn=\\d+ first, 1 B of private data"),
                        rtu -> assertThat(rtu).isEqualTo("client: RTU: ready to use"),
                        dreq -> assertThat(dreq).matches("client: DREQ ends the connection with your qp 0x\\w+"),
                        drep -> assertThat(drep).isEqualTo("server: DREP: it is over"));
    }

    @Test
    void refusalsAndDelaysHaveTheirReasons() {
        assertThat(label(new Rej(1, 2, Rej.MESSAGE_REQ, 28, Octets.EMPTY, Octets.of((byte) 1, (byte) 0, (byte) 3))))
                .isEqualTo("REJ refuses, reason 28 CONSUMER_DEFINED, 3 B of private data");
        assertThat(label(new Rej(1, 2, Rej.MESSAGE_REQ, 34, Octets.EMPTY, Octets.EMPTY)))
                .isEqualTo("REJ refuses, reason 34");
        assertThat(label(new Mra(1, 2, Mra.MESSAGE_REP, 20, Octets.EMPTY))).isEqualTo("MRA: the REP is here, wait");
        assertThat(label(new SidrRep(1, 1, 0, 0, 7, 0, Octets.EMPTY, Octets.EMPTY)))
                .isEqualTo("SIDR_REP refuses, status 1");
    }

    private static String label(CmMessage message) {
        Packet packet = new Packet().begin(Opcode.UD_SEND_ONLY).destQp(1).sourceQp(1);
        byte[] mad = message.emit(1).toBytes();
        packet.payload().add(ByteBuffer.wrap(mad), 0, mad.length);
        return PacketLabel.of(PacketRecord.of(packet));
    }
}

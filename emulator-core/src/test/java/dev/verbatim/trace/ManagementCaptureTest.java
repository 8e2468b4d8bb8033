// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.testing.MadListener;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Dreq;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.Rtu;
import dev.verbatim.wire.mad.ServiceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What queue pair 1 says stands in a capture, and Wireshark knows it for what it is. */
class ManagementCaptureTest {

    private static final long TRANSACTION = 0x0000_0002_0822_3d01L;
    private static final int CLIENT_ID = 0x013d2208;
    private static final int SERVER_ID = 0x2318ac6a;

    @TempDir
    static Path directory;

    private static final List<Octets> SENT = new ArrayList<>();

    @BeforeAll
    static void captureADialogue() throws IOException {
        try (PcapngTap tap = new PcapngTap(Files.newOutputStream(capture()));
                Verbatim rdma = Verbatim.inProcess().tap(tap)) {
            ManagementPort client = ((ManagedDevice) rdma.open("client")).managementPort();
            ManagementPort server = ((ManagedDevice) rdma.open("server")).managementPort();
            client.agent(port -> new MadListener());
            server.agent(port -> new MadListener());
            send(client, server.gid(), request(client.gid(), server.gid()).emit(TRANSACTION));
            send(server, client.gid(), reply().emit(TRANSACTION));
            send(client, server.gid(), new Rtu(CLIENT_ID, SERVER_ID, Octets.EMPTY).emit(TRANSACTION));
            send(client, server.gid(), new Dreq(CLIENT_ID, SERVER_ID, 0x117, Octets.EMPTY).emit(TRANSACTION));
            send(server, client.gid(), new Rej(0, CLIENT_ID, 0, 8, Octets.EMPTY, Octets.EMPTY).emit(TRANSACTION));
        }
    }

    private static Path capture() {
        return directory.resolve("dialogue.pcapng");
    }

    private static void send(ManagementPort from, Gid to, Octets mad) {
        SENT.add(mad);
        from.lane().call(() -> assertThat(from.send(to, mad)).isTrue());
    }

    private static Req request(Gid client, Gid server) {
        return Req.builder()
                .localId(CLIENT_ID)
                .serviceId(ServiceId.of(ServiceId.PORT_SPACE_TCP, 7174))
                .localCaGuid(client.interfaceId())
                .localQpn(0x17)
                .responderResources(1)
                .initiatorDepth(1)
                .startingPsn(0x617dae)
                .primary(
                        new dev.verbatim.wire.mad.Path(0xffff, 0xffff, client, server, 0xc0051, 0, 64, 0, 0, false, 19))
                .privateData(IpHeader.of(58965, client, server).emit(Octets.EMPTY))
                .build();
    }

    private static Rep reply() {
        return new Rep(SERVER_ID, CLIENT_ID, 0, 0x117, 0, 0x67f472, 0, 1, 1, 15, 0, false, 7, false, 2, Octets.EMPTY);
    }

    @Test
    void everyDatagramStandsInTheCaptureAsItWasSent() throws IOException {
        List<Octets> read = new ArrayList<>();
        try (CaptureReader reader = new CaptureReader(Files.newInputStream(capture()))) {
            for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
                if (event instanceof TraceEvent.PacketSent sent) {
                    read.add(sent.packet().payload());
                }
            }
        }
        assertThat(read).isEqualTo(SENT);
    }

    @Test
    void wiresharkKnowsEveryMessageAndFindsNothingMalformed() throws Exception {
        Tshark.assumeInstalled();
        assertThat(Tshark.read(capture(), "-T", "fields", "-e", "_ws.col.Info"))
                .map(String::strip)
                .containsExactly(
                        "CM: ConnectRequest",
                        "CM: ConnectReply",
                        "CM: ReadyToUse",
                        "CM: DisconnectRequest",
                        "CM: ConnectReject");
        assertThat(Tshark.read(capture(), "-Y", "_ws.malformed || _ws.expert.severity >= 0x600000"))
                .isEmpty();
    }
}

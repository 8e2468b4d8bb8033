// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.transport.netty.roce.RoceEnd.address;
import static dev.verbatim.transport.netty.roce.RoceEnd.usual;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbatim.RcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices of Verbatim that meet over UDP port 4791. */
@Timeout(600)
class RoceFabricTest {

    /** A busy machine loads the classes that receive the first packet longer than the usual 0.5 s of retries. */
    private static final RcConnection PATIENT =
            RcConnection.USUAL.withPathMtu(PathMtu.MTU_1024).withRetries(18, 7, 7, 1);

    private static final InetAddress ONE = LoopbackAddress.of(51);
    private static final InetAddress OTHER = LoopbackAddress.of(52);

    @ParameterizedTest
    @CsvSource({
        "NIO, false",
        "NIO, true",
        "EPOLL, false",
        "EPOLL, true",
    })
    void writesReadsAndAtomicsCross(SocketTransport transport, boolean overIpv6) throws IOException {
        RoceOptions first = usual(overIpv6 ? address("::1") : ONE, transport);
        try (Ipv6Turn turn = Ipv6Turn.take();
                RoceEnd a = RoceEnd.open(first);
                RoceEnd b = overIpv6 ? a : RoceEnd.open(usual(OTHER, transport))) {
            assertThat(turn).isNotNull();
            Side left = a.side(QpCapabilities.USUAL, QpType.RC);
            Side right = b.side(QpCapabilities.USUAL, QpType.RC);
            PATIENT.join(left.qp, right.qp);
            left.bytes().putLong(0, 0x1122334455667788L);
            left.qp.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 5000)));
            left.qp.postSend(SendWorkRequest.fetchAndAdd(2, right.address(0), right.rkey(), 1, left.sge(8192, 8)));
            left.qp.postSend(SendWorkRequest.read(3, right.address(0), right.rkey(), left.sge(16384, 5000)));
            for (int id = 1; id <= 3; id++) {
                assertThat(left.sent()).isSuccess().hasId(id);
            }
            assertThat(left.bytes().getLong(16384)).isEqualTo(0x1122334455667789L);
            assertThat(left.bytes().getLong(8192)).isEqualTo(0x1122334455667788L);
        }
    }

    @Test
    void gidIsTheAddressAndTheMtuThatOfTheInterface() {
        try (RoceEnd end = RoceEnd.open(usual(ONE))) {
            assertThat(end.device.gid()).isEqualTo(Gid.of(ONE));
            assertThat(end.device.queryPort(1).activeMtu()).isEqualTo(PathMtu.MTU_4096);
        }
    }

    @Test
    void connectionManagementRunsOverQueuePairOne() throws Exception {
        try (RoceEnd a = RoceEnd.open(usual(ONE));
                RoceEnd b = RoceEnd.open(usual(OTHER))) {
            Side left = a.side(QpCapabilities.USUAL, QpType.RC);
            Side right = b.side(QpCapabilities.USUAL, QpType.RC);
            InetSocketAddress service = new InetSocketAddress(OTHER, 7471);
            try (ListeningEndpoint listener = Endpoint.listen(b.device, service, 4)) {
                CompletableFuture<Endpoint> accepted =
                        CompletableFuture.supplyAsync(() -> listener.getRequest(Await.LIMIT)
                                .accept(
                                        right.pd,
                                        QpInitAttributes.rc(right.sendCq, right.recvCq, QpCapabilities.USUAL),
                                        ConnectionParameters.USUAL,
                                        Await.LIMIT));
                try (Endpoint dialled = Endpoint.connect(
                                a.device,
                                service,
                                left.pd,
                                QpInitAttributes.rc(left.sendCq, left.recvCq, QpCapabilities.USUAL),
                                ConnectionParameters.USUAL,
                                Await.LIMIT);
                        Endpoint end = accepted.get()) {
                    dialled.qp()
                            .postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 60_000)));
                    assertThat(left.sent()).isSuccess();
                    assertThat(end.qp().state()).isEqualTo(dialled.qp().state());
                }
            }
        }
    }

    /** Over IPv4 the last 20 of the 40 bytes are an IPv4 header, as soft-RoCE has it; what a socket does not show is said. */
    @Test
    void datagramOverIpv4HasAnIpv4HeaderAndCanBeAnswered() {
        RecordingTap tap = new RecordingTap();
        try (RoceEnd a = RoceEnd.open(usual(ONE));
                RoceEnd b = RoceEnd.open(usual(OTHER), tap)) {
            Side left = a.side(QpCapabilities.USUAL, QpType.UD);
            Side right = b.side(QpCapabilities.USUAL, QpType.UD);
            UdReadiness ready = new UdReadiness(0x11111111);
            ready.toRts(left.qp, right.qp);
            right.qp.postRecv(ReceiveWorkRequest.of(1, right.sge(0, 140)));
            left.bytes().putLong(0, 42);
            left.qp.postSend(SendWorkRequest.send(2, left.sge(0, 100))
                    .to(left.pd.createAddressHandle(AddressVector.to(Gid.of(OTHER))), right.qp.number(), 0x11111111));
            WorkCompletion completion = right.received();
            assertThat(completion).isSuccess().hasByteLength(140);
            Grh grh = Grh.parse(right.bytes(), 0);
            assertThat(grh.source()).isEqualTo(Gid.of(ONE));
            assertThat(right.pd
                            .createAddressHandle(completion, grh, 1)
                            .addressVector()
                            .destination())
                    .isEqualTo(Gid.of(ONE));
            int sum = 0;
            for (int word = 20; word < 40; word += 2) {
                sum += Short.toUnsignedInt(Short.reverseBytes(right.bytes().getShort(word)));
            }
            assertThat((sum & 0xffff) + (sum >>> 16)).isEqualTo(0xffff);
            assertThat(right.bytes().getLong(40)).isEqualTo(42);
            assertThat(tap.events(TraceEvent.CarrierReported.class))
                    .extracting(TraceEvent.CarrierReported::reason)
                    .containsOnlyOnce("HEADER")
                    .isSubsetOf("HEADER", "WINDOW");
        }
    }

    @Test
    void secondDeviceAtAnAddressIsRefusedAndTheAddressIsFreeAfterTheFirst() {
        try (RoceEnd first = RoceEnd.open(usual(ONE))) {
            assertThat(first.device.gid()).isEqualTo(Gid.of(ONE));
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> RoceEnd.open(usual(ONE)))
                    .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE));
        }
        RoceEnd.open(usual(ONE)).close();
    }
}

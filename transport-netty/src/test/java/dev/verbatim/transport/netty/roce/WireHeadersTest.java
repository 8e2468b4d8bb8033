// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.transport.netty.roce.RoceEnd.address;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.testing.Side;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.transport.netty.roce.datagram.SourcePort;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.wire.RoceView;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The headers that the operating system made, as they pass the loopback interface: what an address vector asks for is there, and
 * the ICRC is right for the very bytes of each datagram, its IPv4 identification included.
 */
@Timeout(600)
class WireHeadersTest {

    private static final InetAddress OWN = LoopbackAddress.of(95);
    private static final int FLOW_LABEL = 0xc0051;
    private static final int QKEY = 0x11111111;

    /** The JDK has no option for the hop limit of unicast datagrams. */
    private static final int HOP_LIMIT_OF_NIO = 64;

    /** What is looked at in one datagram. */
    private record Headers(int trafficClass, int hopLimit, int sourcePort, int identification, boolean dontFragment) {

        static Headers of(ByteBuffer bytes) {
            boolean ipv4 = bytes.get(0) >> 4 == 4;
            int word = bytes.getShort(0);
            return new Headers(
                    (ipv4 ? word : word >> 4) & 0xff,
                    bytes.get(ipv4 ? 8 : 7) & 0xff,
                    bytes.getShort(ipv4 ? 20 : 40) & 0xffff,
                    ipv4 ? bytes.getShort(4) & 0xffff : 0,
                    !ipv4 || (bytes.getShort(6) & 0x4000) != 0);
        }
    }

    private static RoceOptions options(SocketTransport transport, boolean ipv4) {
        return RoceOptions.at(ipv4 ? OWN : address("::1"))
                .withTransport(transport)
                .withPeers(RoceOptions.Peers.VERBATIM);
    }

    private static boolean isIdentificationZero(SocketTransport transport, boolean ipv4) {
        return RoceSupport.table().stream()
                .anyMatch(row -> row.transport() == transport
                        && row.ipv4() == ipv4
                        && (row.peers() == RoceOptions.Peers.ANY || !ipv4)
                        && row.obstacle() == null);
    }

    private static Headers headers(SocketTransport transport, boolean ipv4, ByteBuffer datagram) {
        Headers headers = Headers.of(datagram);
        if (isIdentificationZero(transport, ipv4)) {
            assertThat(new RoceView().wrap(datagram, 0, datagram.limit())).isNull();
            assertThat(headers.identification()).isZero();
            assertThat(headers.dontFragment()).isTrue();
        }
        return headers;
    }

    @ParameterizedTest
    @CsvSource({"NIO, true", "NIO, false", "EPOLL, true", "EPOLL, false"})
    void packetsOfAConnectionHaveThePathOfItsQueuePair(SocketTransport transport, boolean ipv4) throws IOException {
        try (Ipv6Turn turn = Ipv6Turn.take();
                RoceEnd end = RoceEnd.open(options(transport, ipv4));
                LoopbackCapture capture = LoopbackCapture.of(ipv4 ? OWN : address("::1"))) {
            assertThat(turn).isNotNull();
            Side side = end.side(QpCapabilities.USUAL, QpType.RC);
            AddressVector path = AddressVector.to(end.device.gid()).withGrh(0x68, FLOW_LABEL, 17);
            side.qp.modify(new QpAttributes()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .portNumber(1)
                    .accessFlags(Side.ALL_RIGHTS));
            side.qp.modify(new QpAttributes()
                    .state(QpState.RTR)
                    .addressVector(path)
                    .pathMtu(PathMtu.MTU_1024)
                    .destinationQp(side.qp.number())
                    .rqPsn(0)
                    .maxDestRdAtomic(1)
                    .minRnrTimer(1));
            RcConnection.USUAL.readyToSend(side.qp, 0);
            side.qp.postSend(SendWorkRequest.write(1, side.address(8192), side.rkey(), side.sge(0, 5000)));
            assertThat(side.sent()).isSuccess();
            for (int packet = 0; packet < 6; packet++) {
                Headers headers = headers(transport, ipv4, capture.next());
                assertThat(headers.trafficClass()).isEqualTo(0x68);
                assertThat(headers.hopLimit()).isEqualTo(transport == SocketTransport.EPOLL ? 17 : HOP_LIMIT_OF_NIO);
                assertThat(headers.sourcePort())
                        .isEqualTo(SourcePort.of(side.qp.number(), side.qp.number(), FLOW_LABEL))
                        .isEqualTo(49249);
            }
        }
    }

    /** Also where one socket has to do for all. */
    @ParameterizedTest
    @CsvSource({"NIO, true, 16", "EPOLL, true, 16", "EPOLL, true, 1", "EPOLL, false, 2"})
    void eachDatagramHasThePathOfItsAddressHandle(SocketTransport transport, boolean ipv4, int ports)
            throws IOException {
        try (Ipv6Turn turn = Ipv6Turn.take();
                RoceEnd end = RoceEnd.open(options(transport, ipv4).withSourcePorts(ports));
                LoopbackCapture capture = LoopbackCapture.of(ipv4 ? OWN : address("::1"))) {
            assertThat(turn).isNotNull();
            Side side = end.side(QpCapabilities.USUAL, QpType.UD);
            Side other = end.side(QpCapabilities.USUAL, QpType.UD);
            new UdReadiness(QKEY).toRts(side.qp, other.qp);
            for (int i = 0; i < 8; i++) {
                AddressVector path = AddressVector.to(end.device.gid()).withGrh(i % 3 << 2, i % 2 * 77, 30 + i % 4);
                side.qp.postSend(SendWorkRequest.send(i, side.sge(0, 100))
                        .to(side.pd.createAddressHandle(path), other.qp.number(), QKEY));
                assertThat(side.sent()).isSuccess();
                Headers headers = headers(transport, ipv4, capture.next());
                assertThat(headers.trafficClass()).isEqualTo(i % 3 << 2);
                assertThat(headers.hopLimit())
                        .isEqualTo(transport == SocketTransport.EPOLL ? 30 + i % 4 : HOP_LIMIT_OF_NIO);
                if (ports == 1) {
                    assertThat(headers.sourcePort()).isEqualTo(4791);
                }
            }
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.roce.datagram.DatagramReader;
import dev.verbatim.transport.netty.roce.datagram.DatagramWriter;
import dev.verbatim.transport.netty.roce.datagram.IpUdpHeader;
import dev.verbatim.transport.netty.roce.socket.UdpTransport;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the links of a device keep of strangers, and say of failures. */
class RoceLinksTest {

    private static final int PORT = 50_000;
    private static final int MOST_STRANGERS = 1024;

    private final List<Link> arrivals = new ArrayList<>();
    private final List<String> reports = new ArrayList<>();
    private final NettyLane lane = new NettyLane("roce", UdpTransport.NIO.handler(), false);
    private final DatagramWriter writer = new DatagramWriter(true);
    private final InetAddress local = address(10, 0, 0, 1);
    private RoceLinks links;

    /** What comes to the device. */
    private final class Sink implements PacketSink {

        @Override
        public void receive(Link link, Packet packet) {
            arrivals.add(link);
        }

        @Override
        public void carrierReported(Gid peer, String reason, String sentence) {
            reports.add(reason + ": " + sentence);
        }
    }

    @BeforeEach
    void open() {
        LinkSettings settings = new LinkSettings(IpUdpHeader.ROCE_PORT, 128, true, false);
        links = new RoceLinks(lane, local, new Sink(), settings, null, new DropCounters());
    }

    @AfterEach
    void close() {
        lane.loop().close();
    }

    private static InetAddress address(int... bytes) {
        try {
            return InetAddress.getByAddress(
                    new byte[] {(byte) bytes[0], (byte) bytes[1], (byte) bytes[2], (byte) bytes[3]});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** A packet that is right; returns the link over which it came. */
    private Link receiveFrom(InetAddress stranger) {
        IpUdpHeader header = new IpUdpHeader(stranger, local);
        ByteBuffer buffer = ByteBuffer.allocate(header.sizeBytes() + DatagramReader.MOST_BYTES);
        Packet packet = new Packet().begin(Opcode.RDMA_WRITE_ONLY, 0x11, 1);
        int lengthBytes = writer.write(packet, header, PORT, buffer);
        int before = arrivals.size();
        links.received(new InetSocketAddress(stranger, PORT), buffer, lengthBytes);
        assertThat(arrivals).hasSize(before + 1);
        return arrivals.get(before);
    }

    @Test
    void onlyTheLastStrangersHaveALink() {
        InetAddress first = address(10, 1, 0, 0);
        Link link = receiveFrom(first);
        assertThat(receiveFrom(first)).isSameAs(link);
        for (int i = 1; i < MOST_STRANGERS; i++) {
            receiveFrom(address(10, 1, i >> 8, i & 0xff));
        }
        assertThat(receiveFrom(first)).isSameAs(link);
        receiveFrom(address(10, 2, 0, 0));
        assertThat(receiveFrom(first)).isNotSameAs(link);
    }

    @Test
    void linkThatTheDeviceAskedForIsKept() {
        InetAddress peer = address(10, 1, 0, 0);
        Link link = links.linkTo(Gid.of(peer));
        for (int i = 0; i < 2 * MOST_STRANGERS; i++) {
            receiveFrom(address(10, 2, i >> 8, i & 0xff));
        }
        assertThat(receiveFrom(peer)).isSameAs(link);
    }

    @Test
    void datagramThatIsTooLongForItsWayIsReportedWithARemedy() {
        links.failed(new IOException("Message too long"));
        assertThat(reports)
                .containsExactly(
                        "SOCKET: the sockets of 10.0.0.1 failed: Message too long; the way to a peer carries less than a"
                                + " packet of its path MTU: use a smaller path MTU, or mend the MTU of the way");
    }
}

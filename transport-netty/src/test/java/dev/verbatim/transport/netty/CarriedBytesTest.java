// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Gid;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A link knows how much of what it pulled the socket has taken: the ACK timers of queue pairs depend on it. */
@Timeout(600)
class CarriedBytesTest {

    private static final Gid PEER = Gid.ofGuid(66);
    private static final int PACKETS = 200;
    private static final int PAYLOAD_BYTES = 4096;
    private static final int FRAME_BYTES = 4 + 12 + PAYLOAD_BYTES;

    private static NettyOptions narrow(SocketTransport transport, int socketBufferBytes) {
        return NettyOptions.defaults().withTransport(transport).withSocketBufferBytes(socketBufferBytes);
    }

    /** A peer that has said its hello and does not read. */
    private static RawPeer peerOf(Node node) throws IOException {
        RawPeer peer = RawPeer.dial(node.listen());
        peer.say(RawPeer.hello(PEER, 7)).hear();
        return peer;
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IO_URING")
    void bytesThatAFullSocketDoesNotTakeAreKeptUntilThePeerReads(SocketTransport transport) throws IOException {
        assumeTrue(transport.isAvailable(), () -> transport + " is not available here");
        NettyOptions narrow = NettyOptions.defaults().withTransport(transport).withSocketBufferBytes(1 << 16);
        try (Node node = Node.open(1, narrow);
                RawPeer peer = peerOf(node)) {
            NettyLink link = node.linkTo(PEER);
            node.awaitReliable(link);
            node.send(link, 0, PACKETS, PAYLOAD_BYTES);
            node.await("a full socket", () -> link.taken() < link.handedOver());
            for (int psn = 0; psn < PACKETS; psn++) {
                assertThat(peer.hearPacket().psn()).isEqualTo(psn);
                node.await("bounded", () -> link.handedOver() - link.taken() <= TransportLimits.WRITE_BATCH_BYTES);
            }
            node.await("all taken", () -> link.taken() == link.handedOver());
            assertThat(link.taken()).isEqualTo((long) PACKETS * FRAME_BYTES);
        }
    }

    /** Otherwise a slow way would seem to be a dead one. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IO_URING")
    void partOfABatchThatTheSocketHasTakenIsTaken(SocketTransport transport) throws IOException {
        assumeTrue(transport.isAvailable(), () -> transport + " is not available here");
        try (Node node = Node.open(1, narrow(transport, 1 << 16));
                RawPeer peer = peerOf(node)) {
            NettyLink link = node.linkTo(PEER);
            node.awaitReliable(link);
            node.send(link, 0, PACKETS, PAYLOAD_BYTES);
            // A batch ends with a packet, and what a socket has room for does not.
            AtomicBoolean met = new AtomicBoolean();
            for (int psn = 0; psn < PACKETS && !met.get(); psn++) {
                assertThat(peer.hearPacket().psn()).isEqualTo(psn);
                node.port.lane().call(() -> met.set((link.handedOver() - link.taken()) % FRAME_BYTES != 0));
            }
            assertThat(met).as("a packet of which the socket has taken a part").isTrue();
        }
    }

    @Test
    void bytesThatAConnectionHadNotWrittenWhenItBrokeAreNotWaitedFor() throws IOException {
        try (Node node = Node.open(1, narrow(SocketTransport.NIO, 1 << 16))) {
            RawPeer first = peerOf(node);
            NettyLink link = node.linkTo(PEER);
            node.awaitReliable(link);
            int resumptions = link.resumptions();
            node.send(link, 0, PACKETS, PAYLOAD_BYTES);
            node.await("a full socket", () -> link.taken() < link.handedOver());
            first.hangUp();
            node.awaitUnreliable(link);
            assertThat(link.resumptions()).isEqualTo(resumptions);
            node.await("nothing kept", () -> link.taken() == link.handedOver());
            RawPeer second = peerOf(node);
            node.awaitReliable(link);
            assertThat(link.resumptions()).isNotEqualTo(resumptions);
            second.hangUp();
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Packets;
import dev.verbatim.transport.netty.frame.WriteBatch;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection is refused for what comes right behind a payload that is being put where it belongs. */
@Timeout(600)
class RefusedLandingTest {

    private static final Gid NEAR = Gid.ofGuid(10);
    private static final Gid PEER = Gid.ofGuid(11);
    private static final int PACKETS = 8;
    private static final int PAYLOAD_BYTES = PACKETS * 4096;
    private static final byte[] NO_FRAME = {-1, -1, -1, -1};

    /** More than the numbers below that of the connection which are free. */
    private static final int SOCKETS = 200;

    /** Opens sockets when the connection has been refused: one of them gets the number of its descriptor if that is free. */
    private static final class Bystander extends Doorbell implements PacketSink {

        private final CountDownLatch landing = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);
        private final List<DatagramChannel> sockets = new ArrayList<>();
        private final ByteBuffer memory = ByteBuffer.allocateDirect(PAYLOAD_BYTES);
        private volatile Lane lane;

        @Override
        public boolean land(Link link, Packet head, int payloadLengthBytes, LandingPlace place) {
            place.set(memory, 0);
            landing.countDown();
            return true;
        }

        @Override
        public void receive(Link link, Packet packet) {
            lane.ring(this);
        }

        @Override
        protected void answer() {
            try {
                for (int i = 0; i < SOCKETS; i++) {
                    DatagramChannel socket = DatagramChannel.open().bind(Node.loopback(0));
                    sockets.add(socket);
                    socket.configureBlocking(false);
                    socket.send(ByteBuffer.wrap(new byte[] {42}), socket.getLocalAddress());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                opened.countDown();
            }
        }

        private int left() throws IOException {
            int left = 0;
            for (DatagramChannel socket : sockets) {
                left += socket.receive(ByteBuffer.allocate(1)) == null ? 0 : 1;
                socket.close();
            }
            return left;
        }
    }

    /** A run of packets as one frame, and then bytes that are none. */
    private static byte[] frames() {
        byte[] packet = PacketRecord.of(
                        Packets.write(Opcode.RDMA_WRITE_ONLY, 5, 0x1000, 0x105, PAYLOAD_BYTES, new byte[PAYLOAD_BYTES]))
                .emit();
        return ByteBuffer.allocate(WriteBatch.HEAD_BYTES + packet.length + NO_FRAME.length)
                .putInt(PACKETS - 1 << WriteBatch.PACKETS_SHIFT | packet.length)
                .put(packet)
                .put(NO_FRAME)
                .array();
    }

    @Test
    void channelThatIsAboutToReadReadsNoOtherSocket() throws Exception {
        assumeThat(SocketTransport.EPOLL.isAvailable()).isTrue();
        Bystander bystander = new Bystander();
        NettyOptions options = NettyOptions.defaults().withTransport(SocketTransport.EPOLL);
        try (LogLines log = LogLines.open();
                NettyFabric fabric = NettyFabric.open(options)) {
            FabricPort port = fabric.attach(NEAR, bystander);
            bystander.lane = port.lane();
            byte[] frames = frames();
            try (RawPeer peer = RawPeer.dial(fabric.listen(Node.loopback(0)))) {
                peer.say(RawPeer.hello(PEER, 7)).hear();
                peer.say(Arrays.copyOf(frames, TransportLimits.SHORTEST_LANDING_BYTES));
                Await.latch("a payload lands", bystander.landing);
                peer.say(Arrays.copyOfRange(frames, TransportLimits.SHORTEST_LANDING_BYTES, frames.length));
                peer.awaitEnd();
            }
            Await.latch("other sockets are open", bystander.opened);
            assertThat(log.texts()).singleElement().asString().contains("what came is no stream of packets");
        }
        assertThat(bystander.left()).isEqualTo(SOCKETS);
    }
}

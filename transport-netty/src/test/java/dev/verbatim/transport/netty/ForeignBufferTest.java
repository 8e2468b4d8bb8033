// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.link.Neighbours;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.PacketRecord;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What TLS has decrypted comes in buffers of its own, which may hold anything from one byte to more than ours. */
class ForeignBufferTest {

    private static final List<PacketRecord> PACKETS = NettyFabricTest.expected(0, 100, 4096);

    @ParameterizedTest
    @ValueSource(ints = {1, 57, 5000, 1 << 20})
    void everythingIsTakenInInOrderHoweverItIsCut(int pieceBytes) throws Exception {
        byte[] bytes = RawPeer.together(RawPeer.hello(Gid.ofGuid(66), 7), PACKETS);
        UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
        NettyLane lane = new NettyLane("tcp", SocketTransport.NIO.handler(), true);
        List<PacketRecord> arrived = new ArrayList<>();
        NettyOptions options = NettyOptions.defaults().withSpinning(true);
        NettyPort port = new NettyPort(
                lane,
                options,
                new Sockets(lane.loop().netty(), buffers, options),
                new Neighbours(),
                Gid.ofGuid(1),
                (link, packet) -> arrived.add(PacketRecord.of(packet)));
        EmbeddedSocket socket = new EmbeddedSocket();
        socket.config().setAllocator(buffers);
        socket.begin(new AcceptedGreeting(port, socket));
        for (int at = 0; at < bytes.length; at += pieceBytes) {
            int end = Math.min(bytes.length, at + pieceBytes);
            socket.pipeline().fireChannelRead(Unpooled.wrappedBuffer(Arrays.copyOfRange(bytes, at, end)));
        }
        assertThat(arrived).isEqualTo(PACKETS);
        port.close();
        socket.finishAndReleaseAll();
        lane.loop().close();
        assertThat(buffers.metric().usedDirectMemory()).as("memory left").isZero();
    }
}

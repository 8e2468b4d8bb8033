// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.transport.netty.hello.Challenge;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.link.Neighbours;
import dev.verbatim.verbs.Gid;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever gets a refusal finds its line in the log already. */
@Tag("smoke")
class RefusalOrderTest {

    private static final SharedSecret SECRET = SharedSecret.of(new byte[16]);
    private static final Hello HELLO = RawPeer.hello(Gid.ofGuid(2), 7);

    /** What the log had said each time that the acceptor sent something. */
    private final List<List<String>> linesAtAnswers = new ArrayList<>();

    @Test
    void challengeToAnEndWithoutASecret() throws Exception {
        hear(NettyOptions.defaults().withSecret(SECRET), RawPeer.bytes(HELLO));
        assertThat(linesAtAnswers).extracting(List::size).containsExactly(1);
    }

    @Test
    void helloToAChallengeThatIsNotAskedFor() throws Exception {
        hear(NettyOptions.defaults(), bytes(new Challenge(Verdict.WELCOME, 1, 2)));
        assertThat(linesAtAnswers).extracting(List::size).containsExactly(1);
    }

    @Test
    void challengeToAWrongProof() throws Exception {
        hear(
                NettyOptions.defaults().withSecret(SECRET),
                bytes(new Challenge(Verdict.WELCOME, 1, 2)),
                RawPeer.bytes(HELLO),
                new byte[Proof.SIZE_BYTES]);
        assertThat(linesAtAnswers).extracting(List::size).containsExactly(0, 1);
    }

    @Test
    void versionToAnotherVersion() throws Exception {
        byte[] other = RawPeer.bytes(HELLO);
        other[9]++;
        hear(NettyOptions.defaults(), other);
        assertThat(linesAtAnswers).extracting(List::size).containsExactly(1);
    }

    @Test
    void helloOfADeviceWithItsGid() throws Exception {
        hear(NettyOptions.defaults(), RawPeer.bytes(RawPeer.hello(Gid.ofGuid(1), 7)));
        assertThat(linesAtAnswers).extracting(List::size).containsExactly(1);
    }

    /** Lets an end that listens hear this, and expects that it hangs up. */
    private void hear(NettyOptions options, byte[]... said) throws Exception {
        NettyLane lane = new NettyLane("tcp", SocketTransport.NIO.handler(), true);
        try (LogLines log = LogLines.open()) {
            UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
            NettyPort port = new NettyPort(
                    lane,
                    options,
                    new Sockets(lane.loop().netty(), buffers, options),
                    new Neighbours(),
                    Gid.ofGuid(1),
                    (link, packet) -> {});
            EmbeddedSocket socket = new EmbeddedSocket();
            socket.pipeline().addLast(new ChannelOutboundHandlerAdapter() {
                @Override
                public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                    linesAtAnswers.add(log.texts());
                    context.write(message, promise);
                }
            });
            socket.begin(new AcceptedGreeting(port, socket));
            for (byte[] bytes : said) {
                socket.arrive(new Chunks(bytes, 0, 0));
            }
            assertThat(socket.isOpen()).isFalse();
            port.close();
            socket.finishAndReleaseAll();
        }
        lane.loop().close();
    }

    private static byte[] bytes(Challenge challenge) {
        ByteBuffer bytes = ByteBuffer.allocate(Challenge.SIZE_BYTES);
        challenge.write(bytes);
        return bytes.array();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.testing.Await;
import dev.verbatim.transport.netty.lane.DirectSocket;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.socket.RawSocket;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A thread that polls reads and writes a descriptor of epoll by its number. The operating system gives the number of a closed one to the
 * next socket or file that is opened, so nobody may use it any more.
 */
@Timeout(600)
class ClosedDescriptorTest {

    /** What a connection does. */
    private record Direct(RawSocket socket) implements DirectSocket {

        @Override
        public boolean readNow() {
            return false;
        }

        @Override
        public boolean isAllOf(Object identity) {
            return false;
        }

        @Override
        public void retire(Object identity) {
            if (socket.isOf(identity)) {
                socket.retire();
            }
        }

        @Override
        public void leaveToLoop() {}
    }

    /** Stops the loop where it is about to close the channel. */
    private static final class Closing extends ChannelOutboundHandlerAdapter {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);

        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            begun.countDown();
            Await.latch("the lane is taken", goesOn);
            context.close(promise);
        }
    }

    private static int read(RawSocket socket) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(8);
        return socket.read(bytes, 0, 8, bytes, 8, 8);
    }

    @Test
    void loopClosesADescriptorWhenNobodyIsOnTheLaneAndNobodyReadsItThen() throws Exception {
        assumeThat(SocketTransport.EPOLL.isAvailable()).isTrue();
        NettyLane lane = new NettyLane("tcp", SocketTransport.EPOLL.handler(), false);
        Closing closing = new Closing();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ChannelFuture connected = new Bootstrap()
                    .group(lane.loop().netty())
                    .channel(EpollSocketChannel.class)
                    .handler(closing)
                    .connect(server.getLocalSocketAddress());
            Await.result("the connection", connected);
            EpollSocketChannel channel = (EpollSocketChannel) connected.channel();
            RawSocket socket = RawSocket.of(channel);
            channel.close();
            Await.latch("the close", closing.begun);
            lane.enter();
            try {
                lane.beginDirect(new Direct(socket));
                closing.goesOn.countDown();
                Await.until("the loop waits for the lane", lane::isWaitedFor);

                assertThat(channel.fd().isOpen()).as("its number is its own").isTrue();
                assertThat(read(socket)).isZero();
            } finally {
                lane.leave();
            }
            Await.result("the end of the channel", channel.closeFuture());

            assertThatThrownBy(() -> read(socket)).isInstanceOf(ClosedChannelException.class);
        } finally {
            lane.loop().close();
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.verbs.Errno;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A connection until the hellos are said; then a {@link Connection} takes its place. All on the lane. */
abstract class Greeting extends ChannelInboundHandlerAdapter {

    private final NettyPort port;
    private final NettyLane lane;
    private final SocketChannel channel;
    private final ReadBuffer in;
    private final LaneTimer patience;
    private String name = "";
    private boolean over;
    private boolean bufferIsOurs = true;

    Greeting(NettyPort port, SocketChannel channel) {
        this.port = port;
        this.lane = port.lane();
        this.channel = channel;
        this.in = new ReadBuffer(channel.alloc());
        this.patience = new LaneTimer() {
            @Override
            protected void expire(long nowNanos) {
                fail(
                        Errno.ETIMEDOUT,
                        "arrivedBytes=" + in.end() + " < " + Hello.SIZE_BYTES
                                + " bytes of a hello within helloTimeoutNanos="
                                + port.options().helloTimeoutNanos());
            }
        };
    }

    /** The sockets are connected. */
    abstract void begin();

    /** The other end has said its hello. */
    abstract void answer(Hello hello);

    /** The other end has not said a hello and is not going to. */
    abstract void lose(Errno errno, String reason);

    final NettyPort port() {
        return port;
    }

    /** Which connection this is, for a log. */
    abstract String nameOf(Object remoteAddress);

    final String name() {
        return name;
    }

    final void say(Verdict verdict, long ticket) {
        ByteBuf bytes = channel.alloc().directBuffer(Hello.SIZE_BYTES);
        bytes.writerIndex(Hello.SIZE_BYTES);
        port.hello(verdict, ticket).write(bytes.nioBuffer());
        channel.writeAndFlush(bytes, channel.voidPromise());
    }

    /** Lets packets flow for the link from now on. */
    final void open(NettyLink link, Hello peer, @Nullable Redial redial) {
        finish();
        in.grow();
        bufferIsOurs = false;
        boolean checksum = peer.checksum() && port.options().checksum();
        Connection connection = new Connection(port, channel, name, link, redial != null, in, checksum);
        channel.pipeline().replace(this, null, connection);
        lane.log().note(name + " is open to gid=" + link.peer());
        link.serveBy(connection, redial);
    }

    /** Ends the connection when what was said has gone out. */
    final void close() {
        finish();
        channel.close();
    }

    /** Ends the connection because of what the other end did or did not do. */
    final void fail(Errno errno, String reason) {
        if (!over) {
            finish();
            lose(errno, reason);
            channel.close();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel.config().setRecvByteBufAllocator(in);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        inStep(() -> {
            name = nameOf(channel.remoteAddress());
            lane.arm(patience, lane.nowNanos() + port.options().helloTimeoutNanos());
            begin();
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        lane.enter();
        try {
            if (!over) {
                read();
            }
        } finally {
            ((ByteBuf) message).release();
            lane.leave();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        inStep(() -> fail(Errno.EIO, "the other end closed it after " + in.end() + " bytes of its hello"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            lane.log().fault(name + " failed", cause);
        }
        inStep(() -> fail(Errno.EIO, String.valueOf(cause.getMessage())));
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (bufferIsOurs) {
            in.release();
        }
    }

    private void read() {
        String refusal = Hello.refusal(in.view(), in.end());
        if (refusal != null) {
            fail(Errno.EIO, refusal);
        } else if (in.end() == Hello.SIZE_BYTES) {
            Hello hello = Hello.read(in.view());
            in.readTo(Hello.SIZE_BYTES);
            answer(hello);
        }
    }

    private void finish() {
        over = true;
        lane.forget(patience);
    }

    private void inStep(Runnable work) {
        lane.enter();
        try {
            work.run();
        } finally {
            lane.leave();
        }
    }
}

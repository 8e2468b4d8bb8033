// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.loop;

import dev.verbatim.bench.jvm.PassiveJvm;
import dev.verbatim.bench.jvm.Plain;
import dev.verbatim.bench.plan.BenchFailure;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * A yardstick with the hand-offs of a blocking READ: this thread gives a message to an event loop and parks, the loop
 * sends it, the loop of the other JVM sends it back, and this loop wakes this thread.
 */
public final class EchoLoop implements TimedLoop {

    public static final String TITLE = "netty nio echo";

    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final PassiveJvm jvm;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ByteBuf message = Unpooled.directBuffer(Plain.PING_BYTES).writeZero(Plain.PING_BYTES);
    private final Channel channel;
    private final Runnable send = this::send;
    private volatile Thread waiting = Thread.currentThread();
    private volatile long returned;
    private int receivedBytes;

    /** Counts bytes; when a message is complete it wakes who waits for it. */
    private final class Arrivals extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object read) {
            ByteBuf bytes = (ByteBuf) read;
            receivedBytes += bytes.readableBytes();
            bytes.release();
            if (receivedBytes == Plain.PING_BYTES) {
                receivedBytes = 0;
                complete();
            }
        }
    }

    public EchoLoop(PassiveJvm jvm) {
        this.jvm = jvm;
        int port = jvm.openEcho();
        channel = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new Arrivals())
                .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .syncUninterruptibly()
                .channel();
    }

    @Override
    public String name() {
        return TITLE;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a void promise tells nothing
    private void send() {
        message.readerIndex(0);
        channel.writeAndFlush(message.retain(), channel.voidPromise());
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only the loop writes it
    private void complete() {
        returned++;
        LockSupport.unpark(waiting);
    }

    @Override
    public long run(int operations, Histogram latencies) {
        waiting = Thread.currentThread();
        long expected = returned;
        long startNanos = System.nanoTime();
        long lastNanos = startNanos;
        for (int i = 0; i < operations; i++) {
            expected++;
            channel.eventLoop().execute(send);
            while (returned < expected) {
                LockSupport.parkNanos(this, PATIENCE_NANOS);
                if (System.nanoTime() - lastNanos > PATIENCE_NANOS) {
                    throw new BenchFailure(name() + " brought nothing back within " + PATIENCE_NANOS / 1_000_000_000L
                            + " s; see whether the second JVM was killed");
                }
            }
            long nowNanos = System.nanoTime();
            latencies.recordValue(nowNanos - lastNanos);
            lastNanos = nowNanos;
        }
        return lastNanos - startNanos;
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        message.release();
        jvm.closeEcho();
    }
}

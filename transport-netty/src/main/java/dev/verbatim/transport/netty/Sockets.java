// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.socket.TransportLimits;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoEventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the sockets of one device, all on one loop and all alike, and closes them together; what is made afterwards is closed at once. */
public final class Sockets {

    private static final int NANOS_PER_MILLI = 1_000_000;

    /** A channel can be written to exactly when all that was written before is with the operating system. */
    private static final WriteBufferWaterMark ONE_BATCH_AT_A_TIME = new WriteBufferWaterMark(1, 1);

    private final IoEventLoop loop;
    private final ByteBufAllocator buffers;
    private final NettyOptions options;
    private final ChannelGroup all;

    /** Internal: the fabrics of this module make it. */
    public Sockets(IoEventLoop loop, ByteBufAllocator buffers, NettyOptions options) {
        this.loop = loop;
        this.buffers = buffers;
        this.options = options;
        this.all = new DefaultChannelGroup(loop, true);
    }

    /** Connects to an address; what {@code greetings} makes handles the channel. */
    ChannelFuture connect(InetSocketAddress address, Function<SocketChannel, ? extends ChannelHandler> greetings) {
        Tls tls = options.tls();
        long millis = Math.max(1, options.helloTimeoutNanos() / NANOS_PER_MILLI);
        return new Bootstrap()
                .group(loop)
                .channelFactory(options.transport().socketChannels())
                .disableResolver()
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(millis, Integer.MAX_VALUE))
                .handler(initializer(tls == null ? null : () -> tls.dial(buffers, address), greetings))
                .connect(address);
    }

    /**
     * Binds a socket to an address. Nothing is accepted until the channel is set to be read, and those who connect wait; what
     * {@code greetings} makes handles each accepted channel.
     */
    ChannelFuture bind(InetSocketAddress address, Function<SocketChannel, ? extends ChannelHandler> greetings) {
        Tls tls = options.tls();
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channelFactory(options.transport().serverChannels())
                .option(ChannelOption.AUTO_READ, false)
                .childHandler(initializer(tls == null ? null : () -> tls.accept(buffers), greetings));
        if (options.socketBufferBytes() > 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, options.socketBufferBytes());
        }
        ChannelFuture binding = bootstrap.bind(address);
        all.add(binding.channel());
        return binding;
    }

    /** The loop closes them; later, if another thread calls this. */
    ChannelGroupFuture closeAll() {
        return all.close();
    }

    void closeAllBut(Predicate<Channel> kept) {
        all.close(channel -> !kept.test(channel));
    }

    private ChannelInitializer<SocketChannel> initializer(
            @Nullable Supplier<SslHandler> tls, Function<SocketChannel, ? extends ChannelHandler> greetings) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                all.add(channel);
                if (!channel.isOpen()) {
                    // A connection that was asked for before the device closed, and made later.
                    return;
                }
                configure(channel);
                if (tls != null) {
                    channel.pipeline().addLast(tls.get());
                }
                channel.pipeline().addLast(greetings.apply(channel));
            }
        };
    }

    private void configure(SocketChannel channel) {
        channel.config()
                .setAllocator(buffers)
                .setWriteBufferWaterMark(ONE_BATCH_AT_A_TIME)
                .setTcpNoDelay(true)
                .setKeepAlive(true);
        if (options.socketBufferBytes() > 0) {
            channel.config()
                    .setSendBufferSize(options.socketBufferBytes())
                    .setReceiveBufferSize(options.socketBufferBytes());
        }
        // Not every system has these; there its own settings hold.
        options.transport()
                .keepAlive(
                        channel.config(),
                        TransportLimits.KEEPALIVE_IDLE_SECONDS,
                        TransportLimits.KEEPALIVE_PAUSE_SECONDS,
                        TransportLimits.KEEPALIVE_TRIES);
    }
}

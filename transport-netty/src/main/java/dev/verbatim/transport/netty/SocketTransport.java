// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.socket.DirectNioServerSocketChannel;
import dev.verbatim.transport.netty.socket.DirectNioSocketChannel;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketChannelConfig;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.function.Supplier;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/** The implementation of sockets that a {@link NettyFabric} uses. The data on the wire is the same. */
public enum SocketTransport {
    /** Java's sockets; available on every system. */
    NIO,

    /** Linux epoll; takes less CPU time per packet. Needs {@code netty-transport-native-epoll} of the machine. */
    EPOLL,

    /**
     * Linux io_uring, experimental: payloads are always copied. Needs {@code netty-transport-native-io_uring} of the machine.
     */
    IO_URING;

    /** Whether it is available here. */
    public boolean isAvailable() {
        return unavailability() == null;
    }

    /**
     * Why it is unavailable, if it is.
     *
     * @throws VerbsException EOPNOTSUPP if it is not available
     */
    void requireAvailable() {
        Throwable cause = unavailability();
        if (cause != null) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP,
                    Rule.N_05,
                    "transport=%s is not available here: %s; add netty-transport-native-%s of this machine's kind, which"
                            + " exists for Linux, or choose NIO",
                    this,
                    String.valueOf(cause.getMessage()),
                    this == EPOLL ? "epoll" : "io_uring");
        }
    }

    IoHandlerFactory handler() {
        return switch (this) {
            case NIO -> NioIoHandler.newFactory();
            case EPOLL -> EpollIoHandler.newFactory();
            case IO_URING -> IoUringIoHandler.newFactory();
        };
    }

    ChannelFactory<SocketChannel> socketChannels() {
        return switch (this) {
            case NIO -> DirectNioSocketChannel::new;
            case EPOLL -> EpollSocketChannel::new;
            case IO_URING -> IoUringSocketChannel::new;
        };
    }

    ChannelFactory<ServerChannel> serverChannels() {
        return switch (this) {
            case NIO -> DirectNioServerSocketChannel::new;
            case EPOLL -> EpollServerSocketChannel::new;
            case IO_URING -> IoUringServerSocketChannel::new;
        };
    }

    /** After how long without a word, and how often, the operating system asks whether the other end lives. */
    void keepAlive(SocketChannelConfig config, int idleSeconds, int pauseSeconds, int tries) {
        switch (this) {
            case NIO -> {
                config.setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), idleSeconds);
                config.setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), pauseSeconds);
                config.setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), tries);
            }
            case EPOLL -> {
                config.setOption(EpollChannelOption.TCP_KEEPIDLE, idleSeconds);
                config.setOption(EpollChannelOption.TCP_KEEPINTVL, pauseSeconds);
                config.setOption(EpollChannelOption.TCP_KEEPCNT, tries);
            }
            case IO_URING -> {
                config.setOption(IoUringChannelOption.TCP_KEEPIDLE, idleSeconds);
                config.setOption(IoUringChannelOption.TCP_KEEPINTVL, pauseSeconds);
                config.setOption(IoUringChannelOption.TCP_KEEPCNT, tries);
            }
        }
    }

    private @Nullable Throwable unavailability() {
        return switch (this) {
            case NIO -> null;
            case EPOLL -> unlessMissing(Epoll::unavailabilityCause);
            case IO_URING -> unlessMissing(IoUring::unavailabilityCause);
        };
    }

    /** Netty's classes for it may not be there at all. */
    private static @Nullable Throwable unlessMissing(Supplier<@Nullable Throwable> cause) {
        try {
            return cause.get();
        } catch (NoClassDefFoundError e) {
            return e;
        }
    }
}

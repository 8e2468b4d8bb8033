// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.socket;

import dev.verbatim.transport.netty.lane.NettyLane;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The implementations of sockets, and what each of them lacks. */
public enum UdpTransport {
    /** Java's sockets. */
    NIO,

    /** Those of Netty's epoll transport, on Linux. */
    EPOLL;

    /** The event loop that serves the sockets. */
    public IoHandlerFactory handler() {
        return this == NIO ? NioIoHandler.newFactory() : EpollIoHandler.newFactory();
    }

    /**
     * Opens the sockets of an address. Not on the lane.
     *
     * @throws IOException if the address is not of this machine, or its port is taken
     */
    public UdpSockets open(NettyLane lane, InetAddress local, SocketSettings settings, DatagramHandler handler)
            throws IOException {
        return this == NIO
                ? NioUdpSockets.open(lane, local, settings, handler)
                : EpollUdpSockets.open(lane, local, settings, handler);
    }

    /** The option that datagrams to and from other devices than Verbatim's need and these sockets do not have; null if none. */
    public @Nullable String missingOption(boolean ipv4) {
        if (this == EPOLL) {
            return null;
        }
        if (ipv4) {
            return NioSocketOptions.hasDontFragment() ? null : "IP_DONTFRAGMENT, which NIO has from JDK 19 on";
        }
        return "UDP_NO_CHECK6_RX, which NIO does not have";
    }

    /** Whether anybody has tried it on this system. */
    public static boolean isTriedHere() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
    }
}

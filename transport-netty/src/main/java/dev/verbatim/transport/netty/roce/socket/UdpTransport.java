// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.socket;

import dev.verbatim.transport.netty.lane.NettyLane;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;

/** The implementations of sockets. {@link Platform} says what each of them lacks. */
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
}

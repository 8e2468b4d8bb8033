// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.transport.netty.roce.RoceOptions.Peers;
import dev.verbatim.transport.netty.roce.socket.Platform;
import dev.verbatim.transport.netty.roce.socket.UdpTransport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link RoceFabric} can do with each implementation of sockets on this JDK and system.
 *
 * @param transport the implementation of sockets
 * @param ipv4 whether over IPv4; otherwise over IPv6
 * @param peers which devices are reached
 * @param obstacle what is missing and what to choose instead; null if it works
 */
public record RoceSupport(
        SocketTransport transport,
        boolean ipv4,
        Peers peers,
        @Nullable String obstacle) {

    /** All combinations, on this JDK and system. */
    public static List<RoceSupport> table() {
        return table(Platform.here());
    }

    static List<RoceSupport> table(Platform platform) {
        List<RoceSupport> rows = new ArrayList<>();
        for (SocketTransport transport : SocketTransport.values()) {
            for (boolean ipv4 : new boolean[] {true, false}) {
                for (Peers peers : Peers.values()) {
                    rows.add(of(transport, ipv4, peers, platform));
                }
            }
        }
        return List.copyOf(rows);
    }

    static RoceSupport of(SocketTransport transport, boolean ipv4, Peers peers, Platform platform) {
        return new RoceSupport(transport, ipv4, peers, obstacle(transport, ipv4, peers, platform));
    }

    private static @Nullable String obstacle(SocketTransport transport, boolean ipv4, Peers peers, Platform platform) {
        if (transport == SocketTransport.IO_URING) {
            return "the RoCEv2 carrier has no sockets over io_uring; choose EPOLL or NIO";
        }
        if (transport == SocketTransport.EPOLL && !platform.epoll()) {
            return "EPOLL is not available; add netty-transport-native-epoll of this machine's kind, which exists for Linux";
        }
        String missing = peers == Peers.VERBATIM ? null : platform.missingOption(udp(transport), ipv4);
        return missing == null
                ? null
                : "the sockets lack " + missing
                        + "; choose EPOLL, or RoceOptions.withPeers(VERBATIM) if no other devices"
                        + " are to be reached";
    }

    static UdpTransport udp(SocketTransport transport) {
        return transport == SocketTransport.EPOLL ? UdpTransport.EPOLL : UdpTransport.NIO;
    }

    String outcome(Platform platform) {
        return obstacle != null ? "no, " + obstacle : platform.linux() ? "works" : "not tried on this system";
    }

    /** One row of the table, such as {@code EPOLL IPv6 ANY: works}. */
    @Override
    public String toString() {
        return transport + (ipv4 ? " IPv4 " : " IPv6 ") + peers + ": " + outcome(Platform.here());
    }
}

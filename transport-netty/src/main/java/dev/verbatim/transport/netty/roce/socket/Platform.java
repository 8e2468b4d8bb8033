// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.socket;

import io.netty.channel.epoll.Epoll;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a JDK and a system offer to UDP sockets.
 *
 * @param linux whether the system is Linux, on which the sockets were tried
 * @param epoll whether Netty's epoll transport can be used
 * @param dontFragment whether NIO has the option IP_DONTFRAGMENT, as from JDK 19 on
 */
public record Platform(boolean linux, boolean epoll, boolean dontFragment) {

    /** This JDK and this system. */
    public static Platform here() {
        boolean linux =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
        return new Platform(linux, Epoll.isAvailable(), NioSocketOptions.hasDontFragment());
    }

    /**
     * The option that datagrams to and from other devices than Verbatim's need, and sockets of that kind do not have; null if none.
     *
     * @param ipv4 whether over IPv4; otherwise over IPv6
     */
    public @Nullable String missingOption(UdpTransport transport, boolean ipv4) {
        if (transport == UdpTransport.EPOLL) {
            return null;
        }
        if (ipv4) {
            return dontFragment ? null : "IP_DONTFRAGMENT, which NIO has from JDK 19 on";
        }
        return "UDP_NO_CHECK6_RX, which NIO does not have";
    }
}

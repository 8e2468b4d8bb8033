// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.socket;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.DatagramChannel;

/** Options of NIO sockets that only newer JDKs have. */
final class NioSocketOptions {

    /** The JDK's own option, from JDK 19 on; on Linux the identification of IPv4 is 0 with it. */
    private static final String DONT_FRAGMENT = "IP_DONTFRAGMENT";

    private NioSocketOptions() {}

    /** Whether this JDK can make sockets send with DF. */
    static boolean hasDontFragment() {
        try (DatagramChannel probe = DatagramChannel.open()) {
            return probe.supportedOptions().stream()
                    .anyMatch(option -> option.name().equals(DONT_FRAGMENT));
        } catch (IOException e) {
            return false;
        }
    }

    /** Sends with DF where this JDK can. */
    static void dontFragment(DatagramChannel channel) throws IOException {
        for (SocketOption<?> option : channel.supportedOptions()) {
            if (option.name().equals(DONT_FRAGMENT) && option.type() == Boolean.class) {
                set(channel, option);
            }
        }
    }

    @SuppressWarnings("unchecked") // its type was looked at
    private static void set(DatagramChannel channel, SocketOption<?> option) throws IOException {
        channel.setOption((SocketOption<Boolean>) option, true);
    }
}

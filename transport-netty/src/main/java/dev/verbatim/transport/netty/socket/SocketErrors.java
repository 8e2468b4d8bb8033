// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import dev.verbatim.verbs.Errno;
import io.netty.channel.ChannelException;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.channels.NotYetConnectedException;

/** What failures of sockets are as errnos. */
public final class SocketErrors {

    private SocketErrors() {}

    /** Why connecting failed. */
    public static Errno ofConnect(Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return Errno.ETIMEDOUT;
        }
        if (cause instanceof NoRouteToHostException) {
            return Errno.EHOSTUNREACH;
        }
        return cause instanceof ConnectException ? ofRefusal(cause) : Errno.EIO;
    }

    /** Java has one exception for several errors, which differ only in their message. */
    private static Errno ofRefusal(Throwable cause) {
        String sentence = String.valueOf(cause.getMessage());
        if (sentence.contains("timed out")) {
            return Errno.ETIMEDOUT;
        }
        return sentence.contains("unreachable") || sentence.contains("No route")
                ? Errno.EHOSTUNREACH
                : Errno.ECONNREFUSED;
    }

    /** Why listening at the host failed. Of datagram sockets, epoll has an exception of its own for all errors. */
    public static Errno ofBind(InetAddress host, Throwable cause) {
        String sentence = String.valueOf(cause.getMessage());
        if (sentence.contains("assign requested address")) {
            return Errno.EADDRNOTAVAIL;
        }
        if (cause instanceof BindException || sentence.contains("already in use")) {
            return isOwn(host) ? Errno.EADDRINUSE : Errno.EADDRNOTAVAIL;
        }
        return cause instanceof IOException && sentence.contains("ermission") ? Errno.EACCES : Errno.EIO;
    }

    /** Whether the host is this machine, or the wildcard. */
    public static boolean isOwn(InetAddress host) {
        try {
            return host.isAnyLocalAddress()
                    || host.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(host) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /**
     * Whether it says that a connection is broken. Netty wraps what epoll_ctl and setsockopt report of a socket that was reset in two
     * unchecked exceptions.
     */
    public static boolean isBreak(Throwable cause) {
        return cause instanceof IOException
                || cause instanceof UncheckedIOException
                || cause instanceof NotYetConnectedException
                || (cause instanceof ChannelException && cause.getCause() instanceof IOException);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses as people type them: {@code 127.0.0.1:7471}, {@code [::1]:7471}, {@code host:7471}. */
public final class HostAndPort {

    private static final int LAST_PORT = 65535;

    private HostAndPort() {}

    /** The text for an address. */
    static String of(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        String text = host.getHostAddress();
        return (host instanceof Inet6Address ? "[" + text + "]" : text) + ":" + address.getPort();
    }

    /**
     * Reads an address and asks for the host's number, if it was given a name; it stays unresolved if there is none.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, Math.max(0, colon));
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = port(text.substring(colon + 1));
        if (host.isEmpty() || port < 1) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT with a port in 1.." + LAST_PORT
                    + "; write it like 127.0.0.1:7471");
        }
        return new InetSocketAddress(host, port);
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            return port <= LAST_PORT ? port : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.verbs.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Shows the counters of all open devices of this process to each client that connects: a line of text for each device, as
 * {@code rdma statistic} prints it, and then the end of the connection. It reads nothing. One daemon thread serves one connection
 * after the other, each for at most two seconds; at most {@value #MOST_DEVICES} devices are shown.
 *
 * <p>A line is {@code link left/1 sent_pkts 12 rcvd_pkts 12 ...}: the name of the device in the form of
 * {@link URLEncoder}, cut after {@value #MOST_NAME_CHARS} characters, and pairs of a counter's name and its value.
 */
public final class StatServer implements AutoCloseable {

    /** System property: {@code [HOST:]PORT} of a server that the first device of the process opens; port 0 for a free one. */
    public static final String PROPERTY = "verbatim.stat";

    /** System property that such a server sets: the {@code HOST:PORT} that it listens on. */
    public static final String ADDRESS_PROPERTY = "verbatim.stat.address";

    private static final int MOST_DEVICES = 1_000;
    private static final int MOST_NAME_CHARS = 200;
    private static final int BACKLOG = 16;
    private static final int LAST_PORT = 65_535;

    private static final AtomicBoolean ASKED = new AtomicBoolean();

    private final ConnectionServer server;
    private final InetSocketAddress address;

    private StatServer(ConnectionServer server, InetSocketAddress address) {
        this.server = server;
        this.address = address;
    }

    /**
     * Listens on an address.
     *
     * @param address loopback, unless others are to see the counters too; port 0 for a free one
     * @throws UncheckedIOException if the address cannot be listened on
     */
    public static StatServer open(InetSocketAddress address) {
        ServerSocketChannel channel = null;
        try {
            channel = ServerSocketChannel.open();
            channel.bind(address, BACKLOG);
            InetSocketAddress bound = (InetSocketAddress) channel.getLocalAddress();
            return new StatServer(
                    ConnectionServer.start(channel, "verbatim-stat", peer -> ConnectionServer.write(peer, lines())),
                    bound);
        } catch (IOException e) {
            ConnectionServer.closeQuietly(channel);
            throw new UncheckedIOException(
                    "cannot listen on " + address + " for counters: " + e.getMessage() + "; choose another address", e);
        }
    }

    /** Opens what the system property asks for, once in a process. */
    static void openAsAsked() {
        String asked = System.getProperty(PROPERTY);
        if (asked != null && ASKED.compareAndSet(false, true)) {
            StatServer opened = open(parse(asked));
            System.setProperty(ADDRESS_PROPERTY, opened.toString());
        }
    }

    /** {@code [HOST:]PORT}; without a host, loopback. */
    static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = -1;
        try {
            port = Integer.parseInt(text.substring(colon + 1));
        } catch (NumberFormatException e) {
            // Said below.
        }
        if (port < 0 || port > LAST_PORT || (colon >= 0 && host.isEmpty())) {
            throw new IllegalArgumentException("-D" + PROPERTY + "=" + text + " is not [HOST:]PORT with a port in 0.."
                    + LAST_PORT + "; write it like -D" + PROPERTY + "=0 for a free port of loopback");
        }
        return colon < 0
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                : new InetSocketAddress(host, port);
    }

    /** The address that it listens on. */
    public InetSocketAddress address() {
        return address;
    }

    /** What is sent. */
    static String lines() {
        List<EmulatedDevice> devices = LiveDevices.all();
        StringBuilder text = new StringBuilder();
        for (EmulatedDevice device : devices.subList(0, Math.min(MOST_DEVICES, devices.size()))) {
            try {
                append(text, device);
            } catch (VerbsException e) {
                // It was closed meanwhile.
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, EmulatedDevice device) {
        String name = device.name();
        String shown = name.length() <= MOST_NAME_CHARS ? name : name.substring(0, MOST_NAME_CHARS);
        StringBuilder line = new StringBuilder("link ")
                .append(URLEncoder.encode(shown, StandardCharsets.UTF_8))
                .append("/1");
        device.counters()
                .forEach((counter, value) -> line.append(' ')
                        .append(counter.statisticName())
                        .append(' ')
                        .append(value));
        text.append(line).append('\n');
    }

    /** Stops listening, and returns when the address is free; does nothing if that was done. */
    @Override
    public void close() {
        server.close();
    }

    /** The {@code HOST:PORT} that it listens on. */
    @Override
    public String toString() {
        String host = address.getAddress().getHostAddress();
        return String.format(Locale.ROOT, host.indexOf(':') < 0 ? "%s:%d" : "[%s]:%d", host, address.getPort());
    }
}

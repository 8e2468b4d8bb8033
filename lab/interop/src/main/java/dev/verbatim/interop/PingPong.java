// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.verbs.Device;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

/**
 * {@code ibv_rc_pingpong}, {@code ibv_uc_pingpong}, {@code ibv_ud_pingpong} and {@code ibv_srq_pingpong}: two sides send
 * the same message to and fro. Addresses are exchanged over TCP.
 */
public final class PingPong {

    /**
     * How it went.
     *
     * @param bytes payload of all messages in both directions
     * @param iterations messages in each direction
     * @param nanos from the first to the last
     */
    public record Result(long bytes, int iterations, long nanos) {}

    private final Device device;
    private final PingPongOptions options;
    private final Consumer<String> lines;

    /**
     * A program.
     *
     * @param lines receives what the program reports
     */
    public PingPong(Device device, PingPongOptions options, Consumer<String> lines) {
        this.device = device;
        this.options = options;
        this.lines = lines;
    }

    /**
     * Waits for one client at a TCP address, and answers its messages.
     *
     * @throws InteropException if the peer does something else, or nothing
     */
    public Result serve(InetSocketAddress at) {
        try (PingPongQueues queues = new PingPongQueues(device, options)) {
            AddressExchange exchange = new AddressExchange(addresses(queues), options.patience());
            exchange.serve(
                    at, () -> lines.accept("waiting for a client at TCP " + at), peers -> connect(queues, peers));
            return new PingPongRounds(queues, options, false).run();
        }
    }

    /**
     * Connects to the server at a TCP address, and begins.
     *
     * @throws InteropException if the peer does something else, or nothing
     */
    public Result dial(InetSocketAddress server) {
        try (PingPongQueues queues = new PingPongQueues(device, options)) {
            AddressExchange exchange = new AddressExchange(addresses(queues), options.patience());
            connect(queues, exchange.dial(server));
            return new PingPongRounds(queues, options, true).run();
        }
    }

    private List<PeerAddress> addresses(PingPongQueues queues) {
        List<PeerAddress> own = queues.addresses();
        own.stream().filter(address -> !address.equals(PeerAddress.NONE)).forEach(address -> tell("local", address));
        return own;
    }

    private void connect(PingPongQueues queues, List<PeerAddress> peers) {
        peers.stream().limit(options.queuePairs()).forEach(address -> tell("remote", address));
        queues.connect(peers);
    }

    private void tell(String side, PeerAddress address) {
        lines.accept(String.format(
                "%s address: QPN 0x%06x, PSN 0x%06x, GID %s", side, address.qpNumber(), address.psn(), address.gid()));
    }
}

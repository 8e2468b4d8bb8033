// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * {@code rping}: for each ping the server READs the client's memory and WRITEs the same to other memory of the client.
 * Each step is announced by a SEND. The connection manager connects the two sides.
 */
public final class Rping {

    private static final int FIRST_LETTER = 'A';
    private static final int LETTERS = 'z' - 'A' + 1;
    private static final int SHOWN_BYTES = 60;
    private static final Duration LONGEST_CONNECTION = Duration.ofDays(1);

    private final Device device;
    private final RpingOptions options;
    private final Consumer<String> lines;

    /**
     * A program.
     *
     * @param lines receives what the program reports
     */
    public Rping(Device device, RpingOptions options, Consumer<String> lines) {
        this.device = device;
        this.options = options;
        this.lines = lines;
    }

    /**
     * Waits for one client and serves its pings until it disconnects ({@code rping -s}).
     *
     * @param at local address as {@link Endpoint#listen} takes it
     * @return how many pings were served
     * @throws InteropException if the peer does something else, or nothing
     */
    public int serve(InetSocketAddress at) {
        try (RpingEnd end = new RpingEnd(device, options.patience());
                ListeningEndpoint listener = Endpoint.listen(device, at, 1)) {
            lines.accept("listening at " + listener.localAddress());
            ConnectionRequest request = listener.getRequest(options.patience());
            QueuePair qp = request.createQp(end.pd(), end.attributes());
            end.postReceive(qp);
            try (Endpoint connection = request.accept(RpingEnd.PARAMETERS, options.patience())) {
                CompletableFuture<Void> over = CompletableFuture.runAsync(() -> confirmEnd(connection));
                int served = servePings(end, connection.qp());
                over.join();
                return served;
            }
        }
    }

    /** When the client disconnects, so does the server: its queue pair goes to ERR, and the receive that waits is flushed. */
    private void confirmEnd(Endpoint connection) {
        connection.awaitDisconnected(LONGEST_CONNECTION);
        connection.disconnect(options.patience());
    }

    private int servePings(RpingEnd end, QueuePair qp) {
        MemoryRegion copy = end.allocate(RpingOptions.MOST_BYTES);
        int served = 0;
        while (true) {
            Optional<RpingMemory> source = end.message(qp);
            if (source.isEmpty()) {
                return served;
            }
            Sge whole = copy.sge(0, lengthOf(source.get()));
            end.execute(
                    qp,
                    SendWorkRequest.read(0, source.get().address(), source.get().rkey(), whole));
            report("server", copy, whole.lengthBytes());
            end.advertise(qp, RpingMemory.of(copy, 0));
            Optional<RpingMemory> target = end.message(qp);
            if (target.isEmpty()) {
                throw new InteropException("the client disconnected in the middle of ping " + served);
            }
            Sge same = copy.sge(0, Math.min(whole.lengthBytes(), lengthOf(target.get())));
            end.execute(
                    qp,
                    SendWorkRequest.write(
                            0, target.get().address(), target.get().rkey(), same));
            end.advertise(qp, RpingMemory.of(copy, 0));
            served++;
        }
    }

    private static int lengthOf(RpingMemory memory) {
        int length = memory.lengthBytes();
        if (length < 1 || length > RpingOptions.MOST_BYTES) {
            throw new InteropException("the client advertised " + Integer.toUnsignedString(length)
                    + " bytes, which is not in 1.." + RpingOptions.MOST_BYTES);
        }
        return length;
    }

    /**
     * Connects to a server, pings it and disconnects ({@code rping -c}).
     *
     * @param server address as {@link Endpoint#connect} takes it
     * @throws InteropException if the peer does something else, or nothing
     */
    public void ping(InetSocketAddress server) {
        try (RpingEnd end = new RpingEnd(device, options.patience());
                Endpoint connection = Endpoint.create(device, server, end.pd(), end.attributes(), options.patience())) {
            QueuePair qp = connection.qp();
            end.postReceive(qp);
            connection.connect(RpingEnd.PARAMETERS, options.patience());
            MemoryRegion source = end.allocate(options.sizeBytes());
            MemoryRegion target = end.allocate(options.sizeBytes());
            for (int number = 0; number < options.count(); number++) {
                fill(source.memory().buffer(), number);
                announce(end, qp, source, number);
                announce(end, qp, target, number);
                validate(source, target, number);
                report("client", target, options.sizeBytes());
            }
            connection.disconnect(options.patience());
        }
    }

    /** Advertises memory and waits until the server has used it. */
    private void announce(RpingEnd end, QueuePair qp, MemoryRegion region, int number) {
        end.advertise(qp, RpingMemory.of(region, options.sizeBytes()));
        if (end.message(qp).isEmpty()) {
            throw new InteropException("the server disconnected in the middle of ping " + number);
        }
    }

    /** A text that ends with NUL, as the server of rdma-core writes back only what is before that. */
    private void fill(ByteBuffer ping, int number) {
        byte[] head = ("rdma-ping-" + number + ": ").getBytes(StandardCharsets.US_ASCII);
        int last = options.sizeBytes() - 1;
        for (int at = 0; at < last; at++) {
            ping.put(at, at < head.length ? head[at] : (byte) (FIRST_LETTER + (at + number) % LETTERS));
        }
        ping.put(last, (byte) 0);
    }

    private void validate(MemoryRegion source, MemoryRegion target, int number) {
        int wrong = source.memory().buffer().mismatch(target.memory().buffer());
        if (options.validate() && wrong >= 0) {
            throw new InteropException("ping " + number + " came back different at byte " + wrong);
        }
    }

    private void report(String side, MemoryRegion region, int length) {
        if (options.verbose()) {
            byte[] text = new byte[Math.min(length, SHOWN_BYTES)];
            region.memory().buffer().get(0, text);
            lines.accept(side + " ping data: "
                    + new String(text, StandardCharsets.US_ASCII).replace("\0", "")
                    + (length > SHOWN_BYTES ? "..." : ""));
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Where right listens. Connections are served one after the other; other programs are refused with a reason. */
final class DemoListener implements AutoCloseable {

    private static final Duration WAIT = Duration.ofMinutes(1);

    private final ListeningEndpoint listener;
    private final Deque<ConnectionRequest> waiting = new ArrayDeque<>();

    DemoListener(Device device, InetSocketAddress address) {
        this.listener = Endpoint.listen(device, address, 0);
    }

    /** Where, with the port that it has got. */
    InetSocketAddress address() {
        return listener.localAddress();
    }

    /**
     * Waits for the next caller, as long as it takes.
     *
     * @throws VerbsException EINVAL if it is no verbatim of this version, which it has been told then, or if this is closed
     */
    ConnectionRequest await() {
        ConnectionRequest request = waiting.poll();
        while (request == null) {
            request = next(WAIT);
        }
        return requireVerbatim(request);
    }

    /** Waits for the one that this side talks to already. */
    ConnectionRequest await(Gid peer) {
        @Nullable ConnectionRequest request = next(DemoEndpoint.PATIENCE);
        while (request != null && !peer.equals(gidOf(request))) {
            waiting.add(request);
            request = next(DemoEndpoint.PATIENCE);
        }
        if (request == null) {
            throw VerbsException.of(
                    Errno.ETIMEDOUT,
                    Rule.N_05,
                    "gid=%s does not connect again within %d s; see whether it still runs",
                    peer,
                    DemoEndpoint.PATIENCE.toSeconds());
        }
        return requireVerbatim(request);
    }

    private @Nullable ConnectionRequest next(Duration patience) {
        try {
            return listener.getRequest(patience);
        } catch (VerbsException e) {
            if (e.errno() == Errno.ETIMEDOUT) {
                return null;
            }
            throw e;
        }
    }

    static Gid gidOf(ConnectionRequest request) {
        return Gid.of(request.peerAddress().getAddress());
    }

    private static ConnectionRequest requireVerbatim(ConnectionRequest request) {
        try {
            DemoPrivateData.parse(request.privateData());
            return request;
        } catch (VerbsException e) {
            request.reject(e.refusal().sentence().getBytes(StandardCharsets.US_ASCII));
            throw VerbsException.of(
                    e.errno(),
                    e.refusal().brokenRule(),
                    "refused gid=%s: %s",
                    gidOf(request),
                    e.refusal().sentence());
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}

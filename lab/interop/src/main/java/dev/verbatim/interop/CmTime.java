// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** {@code cmtime}: connects and disconnects many identifiers, each step for all of them, and measures the steps. */
public final class CmTime {

    private static final ConnectionParameters PARAMETERS =
            ConnectionParameters.USUAL.withResponderResources(1).withInitiatorDepth(1);
    private static final QpCapabilities SIZES = new QpCapabilities(1, 1, 1, 1, 0);

    private final Device device;
    private final int connections;
    private final Duration patience;
    private final Consumer<String> lines;

    /**
     * A program.
     *
     * @param connections how many
     * @param patience longest wait for an event
     * @param lines receives what the program reports
     */
    public CmTime(Device device, int connections, Duration patience, Consumer<String> lines) {
        this.device = device;
        this.connections = connections;
        this.patience = patience;
        this.lines = lines;
    }

    /**
     * Accepts the connections of one client, and waits until all have ended.
     *
     * @param at local address as {@link CmId#bindAddress} takes it
     * @throws InteropException if the peer does something else, or nothing
     */
    public void serve(InetSocketAddress at) {
        try (ProtectionDomain pd = device.allocatePd();
                CompletionQueue cq = device.createCq(1);
                EventChannel channel = EventChannel.open(device);
                CmId listener = channel.createId()) {
            listener.bindAddress(at);
            listener.listen(connections);
            lines.accept("listening at " + listener.localAddress());
            Set<CmId> open = new HashSet<>();
            try {
                for (int ended = 0; ended < connections; ) {
                    CmEvent event = channel.getEvent(patience);
                    event.acknowledge();
                    ended += serve(event, open, pd, cq);
                }
            } finally {
                open.forEach(CmTime::close);
            }
            lines.accept("served " + connections + " connections");
        }
    }

    /** Returns how many connections the event ended. */
    private static int serve(CmEvent event, Set<CmId> open, ProtectionDomain pd, CompletionQueue cq) {
        CmId id = event.id();
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                open.add(id);
                id.createQp(pd, QpInitAttributes.rc(cq, cq, SIZES));
                id.accept(PARAMETERS);
            }
            case DISCONNECTED -> {
                id.disconnect();
                open.remove(id);
                close(id);
                return 1;
            }
            case ESTABLISHED, TIMEWAIT_EXIT -> {
                // The client ends connections, and nobody waits for the end of their TIMEWAIT.
            }
            default -> throw new InteropException("the server of cmtime met " + event);
        }
        return 0;
    }

    private static void close(CmId id) {
        id.destroyQp();
        id.close();
    }

    /**
     * Connects to a server, and disconnects.
     *
     * @param server address as {@link CmId#resolveAddress} takes it
     * @throws InteropException if the peer does something else, or nothing
     */
    public void connect(InetSocketAddress server) {
        try (ProtectionDomain pd = device.allocatePd();
                CompletionQueue cq = device.createCq(1);
                EventChannel channel = EventChannel.open(device)) {
            List<CmId> ids = new ArrayList<>();
            try {
                for (int count = 0; count < connections; count++) {
                    ids.add(channel.createId());
                }
                measure(
                        "resolve addr",
                        channel,
                        CmEventType.ADDR_RESOLVED,
                        ids,
                        id -> id.resolveAddress(server, patience));
                measure("resolve route", channel, CmEventType.ROUTE_RESOLVED, ids, id -> id.resolveRoute(patience));
                ids.forEach(id -> id.createQp(pd, QpInitAttributes.rc(cq, cq, SIZES)));
                measure("connect", channel, CmEventType.ESTABLISHED, ids, id -> id.connect(PARAMETERS));
                measure("disconnect", channel, CmEventType.DISCONNECTED, ids, CmId::disconnect);
            } finally {
                ids.forEach(CmTime::close);
            }
        }
    }

    /** Starts a step for all, and waits for all. */
    private void measure(String step, EventChannel channel, CmEventType wanted, List<CmId> ids, Consumer<CmId> start) {
        long began = System.nanoTime();
        ids.forEach(start);
        for (int count = 0; count < ids.size(); count++) {
            CmEvent event = channel.getEvent(patience);
            event.acknowledge();
            if (event.type() != wanted) {
                throw new InteropException(step + ": " + event + " came instead of " + wanted);
            }
        }
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began);
        lines.accept(
                String.format(Locale.ROOT, "%-13s: %8.2f ms, %6d us each", step, micros / 1e3, micros / ids.size()));
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Connects and disconnects as often as it is told, so many at a time, by one thread: each connection with an identifier and a queue
 * pair of its own, from nothing to ESTABLISHED, and from DISCONNECTED to nothing.
 */
public final class ConnectionMaker implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventChannel channel;
    private final ProtectionDomain pd;
    private final QpInitAttributes attributes;
    private final InetSocketAddress answerer;
    private int unbegun;
    private int unended;

    public ConnectionMaker(Device device, InetSocketAddress answerer) {
        this.channel = EventChannel.open(device);
        this.pd = device.allocatePd();
        this.attributes = QpInitAttributes.rc(device.createCq(1));
        this.answerer = answerer;
    }

    /** Connects and disconnects {@code count} times, {@code atATime} at a time. */
    public void run(int count, int atATime) {
        unbegun = count;
        unended = count;
        for (int i = 0; i < atATime; i++) {
            begin();
        }
        while (unended > 0) {
            CmEvent event = next();
            event.acknowledge();
            follow(event);
        }
    }

    private CmEvent next() {
        try {
            return channel.getEvent(PATIENCE);
        } catch (VerbsException e) {
            if (e.errno() != Errno.ETIMEDOUT) {
                throw e;
            }
            throw new BenchFailure(unended + " connections neither came about nor ended within " + PATIENCE.toSeconds()
                    + " s; see whether the machine is overloaded");
        }
    }

    private void begin() {
        if (unbegun > 0) {
            unbegun--;
            channel.createId().resolveAddress(answerer, PATIENCE);
        }
    }

    private void follow(CmEvent event) {
        CmId id = event.id();
        switch (event.type()) {
            case ADDR_RESOLVED -> {
                id.createQp(pd, attributes);
                id.resolveRoute(PATIENCE);
            }
            case ROUTE_RESOLVED -> id.connect(ConnectionParameters.USUAL);
            case ESTABLISHED -> id.disconnect();
            case DISCONNECTED -> {
                id.destroyQp();
                id.close();
                unended--;
                begin();
            }
            default -> throw new BenchFailure("a connection went wrong: " + event);
        }
    }

    @Override
    public void close() {
        channel.close();
    }
}

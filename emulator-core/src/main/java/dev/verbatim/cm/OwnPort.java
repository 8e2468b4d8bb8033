// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.protocol.CmAgent;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The port of an identifier: taken among those of the device, and, where devices are reached over sockets, listened at. */
final class OwnPort {

    private final CmAgent agent;
    private final ManagementPort management;
    private final PortSpace space;
    private final AtomicReference<@Nullable InetSocketAddress> listened = new AtomicReference<>();
    private int taken;

    OwnPort(CmAgent agent, PortSpace space) {
        this.agent = agent;
        this.management = agent.context().port();
        this.space = space;
    }

    /**
     * Lets peers find the device at the address. Not on the lane.
     *
     * @param then is given the address with its port; if it refuses it, nothing has changed
     */
    void listen(InetSocketAddress address, Consumer<InetSocketAddress> then) {
        InetSocketAddress there = management.listen(address);
        listened.set(there);
        try {
            then.accept(there);
        } catch (VerbsException e) {
            endListening();
            throw e;
        }
    }

    /** Peers need not find the device there any more. From any thread; waits until the port is free, but not on the lane. */
    void endListening() {
        InetSocketAddress there = listened.getAndSet(null);
        if (there != null) {
            management.endListening(there);
        }
    }

    /** Takes the port, or with 0 any; returns the address with it. On the lane. */
    InetSocketAddress take(InetSocketAddress address) {
        taken = agent.ports().take(space.name(), address.getPort());
        return new InetSocketAddress(address.getAddress(), taken);
    }

    /** The port can be taken again. On the lane. */
    void release() {
        if (taken != 0) {
            agent.ports().release(space.name(), taken);
            taken = 0;
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.protocol.CmAgent;
import dev.verbatim.cm.protocol.Ports;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.verbs.VerbsException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The port of an identifier: taken among those of the device, and, where devices are reached over sockets, a socket's. */
final class OwnPort implements Ports.Owner {

    private final CmAgent agent;
    private final ManagementPort management;
    private final PortSpace space;
    private final AtomicReference<@Nullable InetSocketAddress> reserved = new AtomicReference<>();
    private InetSocketAddress address = new InetSocketAddress(0);
    private int taken;
    private boolean shared;
    private @Nullable Boolean oneFamily;

    OwnPort(CmAgent agent, PortSpace space) {
        this.agent = agent;
        this.management = agent.context().port();
        this.space = space;
    }

    /**
     * Takes the address at which peers are to find the device. Not on the lane.
     *
     * @param then is given the address with its port; if it refuses it, nothing has changed
     */
    void bind(InetSocketAddress address, Consumer<InetSocketAddress> then) {
        InetSocketAddress there = management.bind(address);
        reserved.set(there);
        try {
            then.accept(there);
        } catch (VerbsException e) {
            unbind();
            throw e;
        }
    }

    /** Lets peers find the device there. */
    void listen() {
        InetSocketAddress there = reserved.get();
        if (there != null) {
            management.listen(there);
        }
    }

    /** Peers need not find the device there any more. From any thread; waits until the port is free, but not on the lane. */
    void unbind() {
        InetSocketAddress there = reserved.getAndSet(null);
        if (there != null) {
            management.unbind(there);
        }
    }

    /** Takes the port, or with 0 any; returns the address with it. On the lane. */
    InetSocketAddress take(InetSocketAddress address) {
        this.address = address;
        taken = agent.ports().take(space.name(), this);
        return new InetSocketAddress(address.getAddress(), taken);
    }

    /** Refuses to listen at a port that others have, too. On the lane. */
    void requireAlone() {
        if (shared) {
            agent.ports().requireAlone(space.name(), taken, this);
        }
    }

    /** Whether it shares its port with others that do. On the lane. */
    void share(boolean value) {
        shared = value;
    }

    /** Whether its address stands for its own family alone. On the lane. */
    void oneFamily(boolean value) {
        oneFamily = value;
    }

    @Override
    public boolean mayShare() {
        return shared;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    /** Unless it was set, that is so of IPv4, as in Linux. */
    @Override
    public boolean isOfOneFamily() {
        Boolean said = oneFamily;
        return said == null ? address.getAddress() instanceof Inet4Address : said;
    }

    /** The port can be taken again. On the lane. */
    void release() {
        if (taken != 0) {
            agent.ports().release(space.name(), taken, this);
            taken = 0;
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A fabric that connects each of its devices with those of its neighbours in this JVM, over loopback. */
final class LocalFabric implements Fabric {

    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** A device, and where it listens until it is closed. */
    private record Listener(NettyPort port, InetSocketAddress address) {}

    private final NettyFabric fabric;

    /** All neighbours, this one among them; guards what they know of each other. */
    private final List<LocalFabric> group;

    private final List<Listener> listeners = new ArrayList<>();

    LocalFabric(NettyFabric fabric, List<LocalFabric> group) {
        this.fabric = fabric;
        this.group = group;
        synchronized (group) {
            group.add(this);
        }
    }

    List<LocalFabric> group() {
        return group;
    }

    @Override
    public FabricPort attach(Gid gid, PacketSink sink) {
        NettyPort port = fabric.join(gid, sink);
        try {
            meetNeighbours(gid, port);
        } catch (RuntimeException | Error e) {
            // A caller that gets the exception has nothing to close.
            port.close();
            throw e;
        }
        return port;
    }

    private void meetNeighbours(Gid gid, NettyPort port) {
        synchronized (group) {
            for (LocalFabric neighbour : group) {
                neighbour.listeners.removeIf(listener -> !listener.port().isOpen());
                if (neighbour != this) {
                    neighbour.listeners.forEach(listener -> dial(gid, listener));
                }
            }
            listeners.add(new Listener(port, fabric.listen(gid, LOOPBACK)));
        }
    }

    private void dial(Gid device, Listener listener) {
        try {
            fabric.dial(device, listener.address());
        } catch (VerbsException e) {
            // A device that closes meanwhile refuses the dial, or resets what it has just accepted.
            if (listener.port().isOpen()) {
                throw e;
            }
        }
    }

    @Override
    public long freshGuid() {
        return fabric.freshGuid();
    }

    @Override
    public OptionalLong freshKeySeed() {
        return fabric.freshKeySeed();
    }

    @Override
    public void close() {
        synchronized (group) {
            group.remove(this);
        }
        fabric.close();
    }

    @Override
    public String toString() {
        return "tcp at " + listeners.stream().map(Listener::address).toList();
    }
}

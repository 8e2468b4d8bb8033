// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A fabric that connects each of its devices with those of its neighbours in this JVM, over loopback. */
final class LocalFabric implements Fabric {

    private final NettyFabric fabric;

    /** All neighbours, this one among them; guards what they know of each other. */
    private final List<LocalFabric> group;

    /** Where its devices listen, and some that were closed did. */
    private final List<InetSocketAddress> addresses = new ArrayList<>();

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
        FabricPort port = fabric.attach(gid, sink);
        synchronized (group) {
            for (LocalFabric neighbour : group) {
                if (neighbour != this) {
                    neighbour.addresses.forEach(there -> dial(gid, there));
                }
            }
            addresses.add(fabric.listen(gid, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        }
        return port;
    }

    private void dial(Gid device, InetSocketAddress there) {
        try {
            fabric.dial(device, there);
        } catch (VerbsException e) {
            // The device there was closed: nobody listens any more, or its end resets what was just accepted.
            if (e.errno() != Errno.ECONNREFUSED && e.errno() != Errno.EIO) {
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
        return "tcp at " + addresses;
    }
}

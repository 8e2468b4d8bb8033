// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.Verbatim;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.transport.netty.roce.socket.Platform;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpType;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** A device on a RoCEv2 fabric of its own, at a loopback address. */
final class RoceEnd implements AutoCloseable {

    final RoceFabric fabric;
    final Device device;
    private final Verbatim door;

    private RoceEnd(RoceFabric fabric, @Nullable Tap tap) {
        this.fabric = fabric;
        this.door = Verbatim.over(fabric).tap(tap);
        this.device = door.open("device");
    }

    /**
     * Options for a device that meets others of Verbatim only. Where its sockets can send identification 0, it demands that of
     * others, so that a wrong identification cannot hide.
     */
    static RoceOptions usual(InetAddress address, SocketTransport transport) {
        RoceOptions options = RoceOptions.at(address).withTransport(transport).withPeers(RoceOptions.Peers.VERBATIM);
        boolean ipv4 = address instanceof Inet4Address;
        return options.withStrictIcrc(RoceSupport.of(transport, ipv4, RoceOptions.Peers.ANY, Platform.here())
                        .obstacle()
                == null);
    }

    /** The same over sockets of the JDK. */
    static RoceOptions usual(InetAddress address) {
        return usual(address, SocketTransport.NIO);
    }

    static RoceEnd open(RoceOptions options) {
        return new RoceEnd(RoceFabric.open(options), null);
    }

    static RoceEnd open(RoceOptions options, Tap tap) {
        return new RoceEnd(RoceFabric.open(options), tap);
    }

    Side side(QpCapabilities capabilities, QpType type) {
        return new Side(device, capabilities, null, type);
    }

    /** An address as numbers. */
    static InetAddress address(String numbers) {
        try {
            return InetAddress.getByName(numbers);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        door.close();
    }
}

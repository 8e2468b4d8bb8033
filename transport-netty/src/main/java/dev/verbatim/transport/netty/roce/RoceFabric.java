// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.roce.socket.Platform;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Connects devices to devices in other JVMs, to soft-RoCE devices of Linux and to adapters, by RoCEv2: packets are datagrams to UDP
 * port 4791.
 *
 * <p>Each device has one of the addresses that the options name, and that address is its GID; an IPv4 address becomes
 * {@code ::ffff:a.b.c.d}. There is nothing to dial: an address vector with a peer's GID reaches the peer, and connection management
 * runs over queue pair 1. The active MTU of the port follows from the interface.
 *
 * <p>Datagrams may be lost, and queue pairs send them again as on a real network. RoCEv2 has no authentication and no encryption:
 * whoever can send from a peer's address, and knows queue pair numbers, can inject packets. So a device opens only at an address
 * that was named. What is not a packet, or has a wrong ICRC, is dropped and counted.
 *
 * <p>One daemon thread, an event loop, is the lane of all devices of the fabric, unless it is
 * {@linkplain RoceOptions#withSpinning spinning}.
 */
public final class RoceFabric implements Fabric {

    private final RoceOptions options;
    private final NettyLane lane;

    /** Those that were attached last at their addresses; closed ones too. Guarded by this. */
    private final Map<InetAddress, RocePort> ports = new HashMap<>();

    /** Those that are open. On the lane. */
    private final Set<RocePort> present = new LinkedHashSet<>();

    private volatile boolean closed;

    private RoceFabric(RoceOptions options) {
        this.options = options;
        this.lane = new NettyLane("roce", options.udp().handler(), options.spinning());
    }

    /**
     * Opens a fabric; sockets are opened with its devices.
     *
     * @throws VerbsException EOPNOTSUPP if the sockets that the options ask for are not available, or cannot reach the peers that
     *     the options ask for
     */
    public static RoceFabric open(RoceOptions options) {
        return open(options, Platform.here());
    }

    static RoceFabric open(RoceOptions options, Platform platform) {
        options.requirePossible(platform);
        return new RoceFabric(options);
    }

    /** Opens a fabric with the default options for devices at these addresses. */
    public static RoceFabric at(InetAddress... addresses) {
        return open(RoceOptions.at(addresses));
    }

    /**
     * Attaches a device at the address that is its GID, if the options name that, or else at the next free one.
     *
     * @throws VerbsException EADDRINUSE if each address has a device, or port 4791 of the address is taken by another program;
     *     EADDRNOTAVAIL if the address is not of this machine; EINVAL if the fabric is closed
     */
    @Override
    public FabricPort attach(Gid gid, PacketSink sink) {
        lane.refuseToBlock("opening a device");
        if (closed) {
            throw VerbsException.of(Errno.EINVAL, Rule.PD_02, "the fabric is closed; open another");
        }
        RocePort port = open(gid, sink);
        lane.call(() -> present.add(port));
        port.start();
        return port;
    }

    private RocePort open(Gid gid, PacketSink sink) {
        synchronized (this) {
            InetAddress address = addressFor(gid);
            RocePort before = ports.get(address);
            if (before != null) {
                before.awaitFree();
            }
            RocePort port = new RocePort(lane, address, options, sink, this::left);
            ports.put(address, port);
            return port;
        }
    }

    /** A device was closed, and the others lose their links to it. On the lane. */
    private void left(RocePort gone) {
        present.remove(gone);
        present.forEach(port -> port.forget(gone.gid()));
    }

    private InetAddress addressFor(Gid gid) {
        InetAddress own = gid.toInetAddress();
        boolean isNamed = options.addresses().contains(own);
        for (InetAddress address : options.addresses()) {
            RocePort port = ports.get(address);
            if ((!isNamed || address.equals(own)) && (port == null || !port.isOpen())) {
                return address;
            }
        }
        throw VerbsException.of(
                Errno.EADDRINUSE,
                Rule.N_05,
                "gid=%s: %s of the fabric's addresses=%s has a device; close one, or name another address in RoceOptions.at",
                gid,
                isNamed ? own.getHostAddress() : "each",
                options.addresses().stream().map(InetAddress::getHostAddress).toList());
    }

    @Override
    public long freshGuid() {
        return options.draw();
    }

    @Override
    public OptionalLong freshKeySeed() {
        return OptionalLong.of(options.draw());
    }

    @Override
    public OptionalLong freshQpNumberSeed() {
        return OptionalLong.of(options.draw());
    }

    /** Closes all sockets and ends the thread. Control verbs of its devices still work, so that they can be closed. */
    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            ports.values().forEach(RocePort::close);
        }
        lane.loop().close();
    }

    /**
     * How many datagrams the device at an address dropped, by reason, and under {@code SOCKET} how often a socket refused to send or to
     * receive, as it does with a datagram that is too long for the route. From any thread.
     *
     * @param address one that the options name
     * @return counts that are not 0
     */
    public Map<String, Long> drops(InetAddress address) {
        RocePort port;
        synchronized (this) {
            port = ports.get(address);
        }
        return port == null ? Map.of() : port.drops();
    }

    NettyLane lane() {
        return lane;
    }

    @Override
    public String toString() {
        return "RoCEv2 fabric with " + options + (closed ? ", closed" : "");
    }
}

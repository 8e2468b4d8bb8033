// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.PathMtu;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The attachment of a device to a fabric. */
public interface FabricPort extends AutoCloseable {

    /** GID of the device. */
    Gid gid();

    /**
     * Which incarnation of its GID on this fabric the device is, counted from 1. Always 1 where the fabric does not know all devices.
     */
    default int life() {
        return 1;
    }

    /** Largest path MTU that a packet fits into on the way to any peer: 256, 512, 1024, 2048 or 4096 bytes; fixed while attached. */
    default int activeMtuBytes() {
        return PathMtu.MTU_4096.bytes();
    }

    /** What the port says of its link; ETHERNET means that programs find peers by GIDs, INFINIBAND that they may use LIDs. */
    default LinkLayer linkLayer() {
        return LinkLayer.ETHERNET;
    }

    /** The local identifier of the port, 1 to 0xbfff; 0 where there are none. */
    default int lid() {
        return 0;
    }

    /** The GID of the port with that local identifier, whether there is a device or not; null where there are none. */
    default @Nullable Gid gidOfLid(int lid) {
        return null;
    }

    /**
     * Whether the device asks peers why they answered with a NAK, and tells those who ask, by datagrams of queue pair 1. False where
     * {@link Link#reasonOfNak} knows, and by default where peers are reached over a network.
     */
    default boolean tellsReasons() {
        return false;
    }

    /** The lane on which everything of the device runs. */
    Lane lane();

    /** The link to a peer; the same one as long as the peer lives. On the lane. */
    Link linkTo(Gid peer);

    /**
     * Takes the carrier of the port away, as who unplugs a cable, or brings it back: meanwhile nothing is sent and nothing comes. The device
     * is {@linkplain PacketSink#carrierChanged told}, unless it is as it was. On the lane.
     */
    void setCarrier(boolean present);

    /**
     * The link to a peer for one datagram, which does not keep the link when its connection ends; null if there is no path to the
     * peer, and the datagram is lost. On the lane.
     */
    default @Nullable Link wayTo(Gid peer) {
        return linkTo(peer);
    }

    /**
     * The device's programs may do with that memory what they like from now on: what still refers to it, to be sent or to be
     * filled, goes on with bytes of its own. On the lane.
     */
    default void letGo(ByteBuffer memory) {}

    /**
     * Finds the device at an address. An address whose host is a GID, read as an IPv6 address, is that device. Where devices are
     * reached over sockets, others are dialled. On the lane; so is the outcome, perhaps before this returns.
     *
     * <p>It fails with EHOSTUNREACH if the fabric knows no way to such a device, ECONNREFUSED if no program listens at the address,
     * ETIMEDOUT if there was no answer in time, EACCES if one of the two did not prove what the other asks for, and EINVAL if the
     * address is unresolved or this port is closed.
     *
     * @param timeoutNanos how long it may take at most
     */
    void resolve(InetSocketAddress address, long timeoutNanos, Resolution outcome);

    /**
     * Takes an address at which peers are to find the device. Where devices are reached over sockets, peers that come there wait, in their
     * timeout, until the device {@linkplain #listen listens} there. Where all devices are known nothing has to be done. Not on the lane.
     *
     * @param address its host the wildcard or an own one; port 0 lets the fabric choose one, where it matters
     * @return the address with its port
     * @throws dev.verbatim.verbs.VerbsException EADDRNOTAVAIL if the host is not an own one, EADDRINUSE if it is taken, EINVAL if
     *     it is unresolved or the port is closed
     */
    InetSocketAddress bind(InetSocketAddress address);

    /** Lets peers find the device at an address that {@link #bind} returned, those that wait there, too. From any thread. */
    default void listen(InetSocketAddress address) {}

    /** Undoes a {@link #bind}: when each of an address is undone, peers need not find the device there any more. */
    default void unbind(InetSocketAddress address) {}

    /** Whether a program may give the address as its own: it is the wildcard, or the device's. */
    default boolean isOwn(InetAddress host) {
        return host.isAnyLocalAddress() || Gid.of(host).equals(gid());
    }

    /**
     * Leaves the fabric: what is sent to the device from now on is lost, and so is what its links are told of from now on.
     *
     * <p>What was {@linkplain Link#ready announced} to its links before gets its turns first, until the sources have nothing more,
     * and peers that watch the link hear it before they are told that the device has gone. Where a carrier takes a part of that at a
     * time, as a socket does, this waits until all is taken, but not for ever: a peer that does not read, a source that never ends
     * and a link without a connection lose the rest. On the lane it cannot wait; there the carrier finishes later by itself, in the
     * same bounded time. Whether the peer gets what the carrier took is up to the carrier, as ever.
     */
    @Override
    void close();
}

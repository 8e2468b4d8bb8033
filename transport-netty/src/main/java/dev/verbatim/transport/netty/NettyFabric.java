// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.link.Neighbours;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Joins devices to devices in other JVMs, or of another fabric in this one, over TCP.
 *
 * <p>Open the fabric, open a device on it, then {@link #listen(InetSocketAddress)} at one end and {@link #dial(InetSocketAddress)}
 * at the other. From then on an address vector that names the peer's GID reaches it, in both directions. A fabric may have several
 * devices, each with connections and listening sockets of its own, as adapters of one machine have: with more than one, listening
 * and dialling name the device that they are for. Devices of one fabric reach each other by their GIDs, without a dial or a socket.
 *
 * <p>One daemon thread, an event loop, is the lane of all devices of the fabric; it starts with the first work for a socket or a timer and ends with {@link #close()}. With
 * {@linkplain NettyOptions#withSpinning spinning} there is no such thread, and the one that opens the fabric drives it.
 *
 * <p>A connection that breaks is lost packets and nothing else (QP-29): the end that dialled dials again, and then queue
 * pairs send again at once what was outstanding. That costs them no retry; only the timeouts do that pass without a connection.
 * A peer that comes back as a new device is another peer: what belonged to
 * the old one neither reaches nor hears it.
 *
 * <p>Nothing is secret or proven unless the options have {@link Tls} or a {@link SharedSecret}, so without them it listens
 * at loopback addresses only, unless told otherwise. What a stranger sends ends that stranger's connection, with one line in
 * the log {@code dev.verbatim.transport}, and disturbs no other.
 */
public final class NettyFabric implements Fabric {

    private final NettyOptions options;
    private final NettyLane lane;
    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
    private final Neighbours neighbours = new Neighbours();

    /** Those that were attached last under their GIDs; closed ones too. */
    private final Map<Gid, NettyPort> ports = new TreeMap<>();

    private volatile boolean closed;

    private NettyFabric(NettyOptions options) {
        this.options = options;
        this.lane = new NettyLane(options.transport().handler(), options.spinning());
    }

    /** A fabric with {@link NettyOptions#defaults()}. */
    public static NettyFabric open() {
        return open(NettyOptions.defaults());
    }

    /**
     * A fabric that has no device and no connection yet.
     *
     * @throws VerbsException EOPNOTSUPP if the transport that the options name is not available here
     */
    public static NettyFabric open(NettyOptions options) {
        options.transport().requireAvailable();
        return new NettyFabric(options);
    }

    /**
     * Gives the fabric a device. Another one can follow under the same GID when that has left, and is then another life.
     *
     * @throws VerbsException EBUSY if a device of the fabric has the GID, EINVAL if the fabric is closed
     */
    @Override
    public FabricPort attach(Gid gid, PacketSink sink) {
        return join(gid, sink);
    }

    NettyPort join(Gid gid, PacketSink sink) {
        NettyPort fresh = new NettyPort(lane, options, buffers, neighbours, gid, sink);
        lane.call(() -> {
            refuseIfClosed();
            neighbours.add(fresh.links());
            ports.put(gid, fresh);
        });
        return fresh;
    }

    /** A drawn one: the fabric does not know the devices of other JVMs. */
    @Override
    public long freshGuid() {
        return options.draw();
    }

    @Override
    public OptionalLong freshKeySeed() {
        return OptionalLong.of(options.draw());
    }

    /**
     * Lets peers dial the fabric's only device. Several addresses may be listened at. Not on the lane.
     *
     * @param address where; port 0 lets the system choose one
     * @return the address with its port
     * @throws VerbsException EINVAL if the fabric has no device or several, or is closed, or has {@link Tls} but no certificate; EACCES
     *     if strangers could come by there and the options ask them for no proof; EADDRINUSE or EADDRNOTAVAIL if
     *     the address cannot be had
     */
    public InetSocketAddress listen(InetSocketAddress address) {
        lane.refuseToBlock("listen");
        return onlyPort("listen").listen(address);
    }

    /**
     * Lets peers dial one of the devices; otherwise as {@link #listen(InetSocketAddress)}.
     *
     * @param device its GID
     */
    public InetSocketAddress listen(Gid device, InetSocketAddress address) {
        lane.refuseToBlock("listen");
        return portAt(device, "listen").listen(address);
    }

    /**
     * Connects the fabric's only device to a peer that listens. If the two are connected already, by whichever end, that connection serves. Not
     * on the lane.
     *
     * @return the peer's GID
     * @throws VerbsException ECONNREFUSED if nobody listens there, EHOSTUNREACH if there is no such host, EIO if who listens is no fabric, ETIMEDOUT if there is no answer in
     *     time, EACCES if the two do not prove to each other what the options of each ask for, EBUSY, at once, if the peer has a connection to another device of the same GID or as many as it may have, EINVAL if it has that GID itself,
     *     or if this fabric has no device or several, or is closed; EINTR if the thread was interrupted
     */
    public Gid dial(InetSocketAddress address) {
        lane.refuseToBlock("dial");
        return dial(onlyPort("dial"), address);
    }

    /**
     * Connects one of the devices to a peer that listens; otherwise as {@link #dial(InetSocketAddress)}.
     *
     * @param device its GID
     */
    public Gid dial(Gid device, InetSocketAddress address) {
        lane.refuseToBlock("dial");
        return dial(portAt(device, "dial"), address);
    }

    private Gid dial(NettyPort speaker, InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw KnownDevices.unresolved(address);
        }
        AwaitedPeer peer = new AwaitedPeer();
        FirstDial dial = new FirstDial(speaker, address, options.dialTimeoutNanos(), peer);
        lane.call(dial::begin);
        Gid reached = peer.await(lane, options.dialTimeoutNanos(), dial::giveUp);
        if (reached.equals(speaker.gid())) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_06,
                    "dialling address=%s failed: it is this end's own; it needs no dial",
                    address);
        }
        return reached;
    }

    /** Closes every socket and ends the thread. Control verbs of devices still work, so that these can be closed. */
    @Override
    public void close() {
        closed = true;
        present().forEach(NettyPort::close);
        lane.loop().close();
    }

    NettyLane lane() {
        return lane;
    }

    /** Direct memory that connections hold at present. */
    long directMemoryBytes() {
        return buffers.metric().usedDirectMemory();
    }

    private List<NettyPort> present() {
        List<NettyPort> present = new ArrayList<>();
        lane.call(() -> {
            ports.values().removeIf(port -> !port.isOpen());
            present.addAll(ports.values());
        });
        return present;
    }

    private NettyPort onlyPort(String what) {
        refuseIfClosed();
        List<NettyPort> present = present();
        if (present.isEmpty()) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.N_05, "%s needs a device to speak for; open a device on the fabric first", what);
        }
        if (present.size() > 1) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_05,
                    "the fabric has devices=%d; say which of them %s is for, by its GID: %s",
                    present.size(),
                    what,
                    gidsOf(present));
        }
        return present.get(0);
    }

    private NettyPort portAt(Gid device, String what) {
        refuseIfClosed();
        List<NettyPort> present = present();
        return present.stream()
                .filter(port -> port.gid().equals(device))
                .findFirst()
                .orElseThrow(() -> VerbsException.of(
                        Errno.EINVAL,
                        Rule.N_05,
                        "%s is for gid=%s, which is no device of this fabric; open it here first, or name one of %s",
                        what,
                        device,
                        gidsOf(present)));
    }

    private static String gidsOf(List<NettyPort> ports) {
        return ports.stream().map(port -> port.gid().toString()).toList().toString();
    }

    private void refuseIfClosed() {
        if (closed) {
            throw VerbsException.of(Errno.EINVAL, Rule.PD_02, "the fabric is closed; open another");
        }
    }

    @Override
    public String toString() {
        return "TCP fabric with " + options + (closed ? ", closed" : "");
    }
}

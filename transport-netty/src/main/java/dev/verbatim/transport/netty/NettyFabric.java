// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.lane.Uninterrupted;
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
 * Connects devices to devices in other JVMs, or of another fabric in this JVM, over TCP.
 *
 * <p>Open the fabric, open a device on it, then {@link #listen(InetSocketAddress)} at one end and {@link #dial(InetSocketAddress)}
 * at the other. From then on an address vector with the peer's GID reaches the peer, in both directions. A fabric may have several
 * devices, each with its own connections and listening sockets, like the adapters of one machine. With more than one device,
 * listening and dialling name the device. Devices of one fabric reach each other by their GIDs, without dialling and without a
 * socket.
 *
 * <p>One daemon thread, an event loop, is the lane of all devices of the fabric. It starts with the first work for a socket or a
 * timer and ends with {@link #close()}. With {@linkplain NettyOptions#withSpinning spinning} there is no such thread; the thread
 * that opens the fabric drives it.
 *
 * <p>With {@linkplain NettyOptions#withLocatingGids locating GIDs} nobody listens or dials: an address vector with a peer's GID reaches
 * the peer, whose GID says where it is.
 *
 * <p>A broken connection loses packets and has no other effect (QP-29): the end that dialled dials again, and queue pairs then
 * resend at once what was outstanding. This uses no retry; only timeouts that expire while there is no connection do. A peer that
 * comes back as a new device is another peer: queue pairs connected to the old one do not reach it.
 *
 * <p>Without {@link Tls} or a {@link SharedSecret} in the options, nothing is encrypted or authenticated, and the fabric listens
 * on loopback addresses only unless the options allow more. Invalid data ends the connection that it came over, with one line in
 * the log {@code dev.verbatim.transport}, and does not affect other connections.
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
        this.lane = new NettyLane("tcp", options.transport().handler(), options.spinning());
    }

    /** Opens a fabric with {@link NettyOptions#defaults()}. */
    public static NettyFabric open() {
        return open(NettyOptions.defaults());
    }

    /**
     * Opens a fabric without devices and connections.
     *
     * @throws VerbsException EOPNOTSUPP if the transport of the options is not available here
     */
    public static NettyFabric open(NettyOptions options) {
        options.transport().requireAvailable();
        return new NettyFabric(options);
    }

    /**
     * Attaches a device. After it is closed another one may be attached with the same GID, as another incarnation.
     *
     * <p>With {@linkplain NettyOptions#withLocatingGids locating GIDs} the device has another GID than the one that is given here.
     *
     * @throws VerbsException EBUSY if a device of the fabric has the GID, EINVAL if the fabric is closed; with locating GIDs also
     *     EADDRINUSE, EADDRNOTAVAIL and EACCES if the device cannot listen at its address
     */
    @Override
    public FabricPort attach(Gid gid, PacketSink sink) {
        return join(gid, sink);
    }

    NettyPort join(Gid gid, PacketSink sink) {
        Sockets sockets = new Sockets(lane.loop().netty(), buffers, options);
        return options.locations() == null ? join(gid, sink, sockets) : joinLocated(sink, sockets);
    }

    private NettyPort join(Gid gid, PacketSink sink, Sockets sockets) {
        NettyPort fresh = new NettyPort(lane, options, sockets, neighbours, gid, sink);
        lane.call(() -> {
            refuseIfClosed();
            neighbours.add(fresh.links());
            ports.put(gid, fresh);
        });
        return fresh;
    }

    private NettyPort joinLocated(PacketSink sink, Sockets sockets) {
        lane.refuseToBlock("opening a device");
        refuseIfClosed();
        try {
            LocatedSocket socket = LocatedSocket.open(lane, options, sockets);
            NettyPort fresh = join(socket.gid(), sink, sockets);
            socket.accept(fresh::greet);
            return fresh;
        } catch (VerbsException e) {
            Uninterrupted.await(lane, sockets.closeAll());
            throw e;
        }
    }

    /** A random GUID, since the fabric does not know the devices of other JVMs. */
    @Override
    public long freshGuid() {
        return options.draw();
    }

    @Override
    public OptionalLong freshKeySeed() {
        return OptionalLong.of(options.draw());
    }

    /** With locating GIDs whoever knows a GID reaches the device, in whichever life it is. */
    @Override
    public OptionalLong freshQpNumberSeed() {
        return options.locations() == null ? OptionalLong.empty() : OptionalLong.of(options.draw());
    }

    /**
     * Accepts connections to the only device of the fabric. A device may listen on several addresses. Not on the lane.
     *
     * @param address where to listen; with port 0 the system chooses one
     * @return the address with its port
     * @throws VerbsException EINVAL if the fabric has no device or several, or is closed, or has {@link Tls} without a certificate;
     *     EACCES if the address is not a loopback address and the options do not authenticate peers; EADDRINUSE or EADDRNOTAVAIL
     *     if the address is not available
     */
    public InetSocketAddress listen(InetSocketAddress address) {
        lane.refuseToBlock("listen");
        return listen(onlyPort("listen"), address);
    }

    /**
     * Accepts connections to one of the devices; otherwise as {@link #listen(InetSocketAddress)}.
     *
     * @param device GID of the device
     */
    public InetSocketAddress listen(Gid device, InetSocketAddress address) {
        lane.refuseToBlock("listen");
        return listen(portAt(device, "listen"), address);
    }

    private static InetSocketAddress listen(NettyPort port, InetSocketAddress address) {
        InetSocketAddress bound = port.bind(address);
        port.listen(bound);
        return bound;
    }

    /**
     * Connects the only device of the fabric to a listening peer. If the two are connected already, by either end, that connection is
     * used. Not on the lane.
     *
     * @return GID of the peer
     * @throws VerbsException ECONNREFUSED if no program listens there; EHOSTUNREACH if there is no such host; EIO if the listener is not a
     *     fabric; ETIMEDOUT if there is no answer in time; EACCES if authentication fails; EBUSY, at once, if the peer has a
     *     connection to another device of the same GID, or its maximum number of connections; EINVAL if the peer has this
     *     device's GID, or if this fabric has no device or several, or is closed; EINTR if the thread is interrupted
     */
    public Gid dial(InetSocketAddress address) {
        lane.refuseToBlock("dial");
        return dial(onlyPort("dial"), address);
    }

    /**
     * Connects one of the devices to a listening peer; otherwise as {@link #dial(InetSocketAddress)}.
     *
     * @param device GID of the device
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

    /** Closes all sockets and ends the thread. Control verbs of its devices still work, so that they can be closed. */
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

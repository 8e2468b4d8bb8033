// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.fabric.Resolution;
import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.fabric.carrier.LocalIdentifiers;
import dev.verbatim.transport.netty.hello.Challenge;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.link.Carrier;
import dev.verbatim.transport.netty.link.Intake;
import dev.verbatim.transport.netty.link.LinkTable;
import dev.verbatim.transport.netty.link.Neighbours;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.transport.netty.link.Redial;
import dev.verbatim.transport.netty.socket.SocketErrors;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import io.netty.channel.socket.SocketChannel;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One incarnation of a device of the fabric: its links, its sockets, and the number of the incarnation. */
final class NettyPort implements FabricPort {

    private final NettyLane lane;
    private final NettyOptions options;
    private final Gid gid;
    private final Intake intake;
    private final LinkTable links;
    private final Neighbours neighbours;
    private final Sockets sockets;
    private final ListeningSockets listening;
    private final PendingGreetings newcomers = new PendingGreetings();
    private final Set<FirstDial> dials = new LinkedHashSet<>();
    private final PortClosing closing = new PortClosing(this);
    private final long incarnation;
    private int accepted;

    NettyPort(NettyLane lane, NettyOptions options, Sockets sockets, Neighbours neighbours, Gid gid, PacketSink sink) {
        this.lane = lane;
        this.neighbours = neighbours;
        this.options = options;
        this.gid = gid;
        this.intake = new Intake(sink);
        this.incarnation = options.draw();
        this.links = new LinkTable(
                lane,
                gid,
                incarnation,
                intake,
                neighbours,
                new Carrier(sink),
                options.carrierGraceNanos(),
                options::draw);
        links.greetsBy(this::greetsSomebody);
        this.sockets = sockets;
        if (locates()) {
            links.dialUnknownBy(this::locate);
        }
        this.listening = new ListeningSockets(lane, address -> sockets.bind(address, this::greet));
    }

    @Override
    public Gid gid() {
        return gid;
    }

    @Override
    public NettyLane lane() {
        return lane;
    }

    @Override
    public Link linkTo(Gid peer) {
        return links.linkTo(peer);
    }

    @Override
    public @Nullable Link wayTo(Gid peer) {
        return links.wayTo(peer);
    }

    @Override
    public void setCarrier(boolean present) {
        if (links.isPlugged() != present) {
            links.plug(present);
        }
    }

    @Override
    public LinkLayer linkLayer() {
        return options.linkLayer();
    }

    @Override
    public int lid() {
        return locates() ? LocalIdentifiers.of(gid) : 0;
    }

    @Override
    public @Nullable Gid gidOfLid(int lid) {
        return locates() ? LocalIdentifiers.gidOf(lid, gid) : null;
    }

    /** Whether GIDs say where their devices listen. */
    private boolean locates() {
        return options.locations() != null;
    }

    /** Who dials for a link without a connection; null if the GID of its peer does not say where. On the lane. */
    @Nullable
    Redial locate(NettyLink link) {
        InetSocketAddress place = locates() ? Locator.addressOf(link.peer()) : null;
        return place == null ? null : new LocatingDial(this, link, place).redial();
    }

    /** A host that is the GID of a device of this fabric, or of one that this one has met, needs no dial; any other is a machine's. */
    @Override
    public void resolve(InetSocketAddress address, long timeoutNanos, Resolution outcome) {
        VerbsException unresolvable = KnownDevices.unresolvable(gid, intake.isOpen(), address);
        if (unresolvable != null) {
            outcome.failed(unresolvable);
            return;
        }
        InetAddress host = address.getAddress();
        Gid peer = Gid.of(host);
        if (locates()) {
            new LocatedPeer(this, address, timeoutNanos, outcome).resolve();
        } else if (links.hasMet(peer)) {
            outcome.found(peer);
        } else if (isGidOnly(host)) {
            outcome.failed(VerbsException.of(
                    Errno.EHOSTUNREACH,
                    Rule.N_06,
                    "gid=%s is that of no device that this one is connected to; give the address at which it listens",
                    peer));
        } else {
            new FirstDial(this, address, timeoutNanos, outcome).begin();
        }
    }

    /** A link-local address cannot be dialled without a scope. */
    static boolean isGidOnly(InetAddress host) {
        return host instanceof Inet6Address six && six.isLinkLocalAddress() && six.getScopeId() == 0;
    }

    /** At a machine's address there is a socket; the GID of this device is heard over all of its connections. */
    @Override
    public InetSocketAddress bind(InetSocketAddress address) {
        lane.refuseToBlock("bind");
        InetAddress host = address.getAddress();
        if (host == null) {
            throw KnownDevices.unresolved(address);
        }
        if (Gid.of(host).equals(gid) && (!locates() || isGidOnly(host))) {
            return address;
        }
        if (locates() && !options.mayListen(address)) {
            if (!SocketErrors.isOwn(host)) {
                throw VerbsException.of(
                        Errno.EADDRNOTAVAIL, Rule.N_05, "address=%s is no address of this machine", address);
            }
            options.requireIdentity();
            return listening.bindAtLoopback(gid, address);
        }
        options.requireMayListen(address);
        return listening.bind(address);
    }

    @Override
    public void listen(InetSocketAddress address) {
        listening.listen(address);
    }

    /** Only where it makes no difference to peers: elsewhere a later request is to be rejected by the device. */
    @Override
    public void unbind(InetSocketAddress address) {
        if (locates()) {
            listening.unbind(address);
        }
    }

    /** Where devices are reached over sockets, each address of this machine leads to the device. */
    @Override
    public boolean isOwn(InetAddress host) {
        return FabricPort.super.isOwn(host) || SocketErrors.isOwn(host);
    }

    /** Loses every link and closes every socket, those that listen too. The loop goes on until the fabric is closed. */
    @Override
    public void close() {
        lane.call(closing::begin);
        closing.await();
    }

    boolean isOpen() {
        return intake.isOpen();
    }

    /** Whether peers are dialled for links that lost their connection. */
    boolean dials() {
        return isOpen() && links.isPlugged();
    }

    /** Nothing is received any more, and no peer is dialled. On the lane. */
    void shut() {
        intake.shut();
        List.copyOf(dials).forEach(FirstDial::portClosed);
    }

    /** The outcome of the dial is awaited. On the lane. */
    void begin(FirstDial dial) {
        dials.add(dial);
    }

    /** No longer. On the lane. */
    void end(FirstDial dial) {
        dials.remove(dial);
    }

    /** Whether a dial awaits the answer of a peer whose GID is not known. */
    private boolean greetsSomebody() {
        return dials.stream().anyMatch(FirstDial::isGreeting);
    }

    /** A dial has been answered, or no longer waits for that. On the lane. */
    void answered() {
        if (!greetsSomebody()) {
            links.answered();
        }
    }

    /** Nothing goes out any more. On the lane. */
    void sever() {
        links.severAll();
        neighbours.remove(links);
    }

    @Override
    public boolean tellsReasons() {
        return options.refusalReasons();
    }

    NettyOptions options() {
        return options;
    }

    LinkTable links() {
        return links;
    }

    Sockets sockets() {
        return sockets;
    }

    Greeting greet(SocketChannel channel) {
        return new AcceptedGreeting(this, channel);
    }

    /** Whether it was this end itself that said that. */
    boolean isSelf(Hello hello) {
        return hello.gid().equals(gid) && hello.incarnation() == incarnation;
    }

    /** The hello of this end. */
    Hello hello(Verdict verdict, long ticket) {
        return new Hello(verdict, options.checksum(), TransportLimits.LARGEST_PACKET_BYTES, gid, incarnation, ticket);
    }

    /** What proves over a new connection that this end knows the secret; null if it has none. */
    @Nullable
    Proof newProof(boolean dialled) {
        SharedSecret secret = options.secret();
        return secret == null
                ? null
                : new Proof(secret, dialled, new Challenge(Verdict.WELCOME, options.draw(), options.draw()));
    }

    PendingGreetings newcomers() {
        return newcomers;
    }

    /** Counts an accepted connection that carries packets, if there is room for it or it replaces another one. */
    boolean admit(boolean replaces) {
        if (accepted >= options.maxConnections() && !replaces) {
            return false;
        }
        accepted++;
        return true;
    }

    /** Counts an accepted connection out. */
    void dismiss() {
        accepted--;
    }

    @Override
    public void letGo(ByteBuffer memory) {
        links.letGo(memory);
    }

    /** What arrives for the device. */
    Intake intake() {
        return intake;
    }

    @Override
    public String toString() {
        return "port " + gid;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.link;

import dev.verbatim.fabric.PacketSink;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.fabric.carrier.KnownDevices;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.roce.datagram.DatagramReader;
import dev.verbatim.transport.netty.roce.datagram.DatagramWriter;
import dev.verbatim.transport.netty.roce.datagram.DropReason;
import dev.verbatim.transport.netty.roce.datagram.IpUdpHeader;
import dev.verbatim.transport.netty.roce.datagram.SourcePort;
import dev.verbatim.transport.netty.roce.socket.DatagramHandler;
import dev.verbatim.transport.netty.roce.socket.SendingSocket;
import dev.verbatim.transport.netty.roce.socket.UdpSockets;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Transport;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The links of one device, by address, and what passes over them.
 *
 * <p>A link that the device asked for is kept. A stranger whose datagram is right gets one that is forgotten when many others have
 * come after it. All on the lane.
 */
public final class RoceLinks implements DatagramHandler {

    /** Packets that a link pulls before others have their turn. */
    static final int MOST_PULLS_IN_A_ROW = 64;

    /** Packets that one link still sends when its device closes. */
    private static final int MOST_LAST_PULLS = 1 << 16;

    /** Links to addresses that the device did not ask for. */
    private static final int MOST_STRANGERS = 1024;

    private final NettyLane lane;
    private final InetAddress local;
    private final PacketSink sink;
    private final LinkSettings settings;
    private final DropCounters drops;
    private final DatagramReader reader;
    private final DatagramWriter writer;
    private final Map<InetAddress, RoceLink> wanted = new HashMap<>();
    private final Map<InetAddress, RoceLink> strangers = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, RoceLink> eldest) {
            return size() > MOST_STRANGERS;
        }
    };
    private final Map<Gid, RoceLink> unreachable = new HashMap<>();
    private final List<RoceLink> waiting = new ArrayList<>();
    private final Packet incoming = new Packet();
    private final Packet outgoing = new Packet();
    private final Gid own;
    private final @Nullable FaultInjector faults;
    private final Departure departure = new Departure();
    private final Arrival arrival = new Arrival();
    private @Nullable UdpSockets sockets;
    private boolean open = true;
    private boolean plugged = true;

    /**
     * No links yet.
     *
     * @param local address of the device
     * @param sink receives what arrives
     * @param policy decides about faults that are injected; null for none
     */
    public RoceLinks(
            NettyLane lane,
            InetAddress local,
            PacketSink sink,
            LinkSettings settings,
            @Nullable FaultPolicy policy,
            DropCounters drops) {
        this.lane = lane;
        this.local = local;
        this.sink = sink;
        this.settings = settings;
        this.drops = drops;
        this.own = Gid.of(local);
        this.faults = policy == null ? null : new FaultInjector(lane, sink, policy);
        this.reader = new DatagramReader(settings.icrc(), settings.strictIcrc());
        this.writer = new DatagramWriter(settings.icrc());
    }

    /** Sends over these sockets from now on. */
    public void use(UdpSockets opened) {
        sockets = opened;
    }

    InetAddress local() {
        return local;
    }

    int peerPort() {
        return settings.port();
    }

    int sendWindowPackets() {
        return settings.sendWindowPackets();
    }

    /** The link that the device uses to reach the peer; always the same. */
    public RoceLink linkTo(Gid peer) {
        InetAddress address = addressOf(peer);
        if (address == null) {
            return unreachable.computeIfAbsent(peer, gid -> new RoceLink(this, gid, null));
        }
        RoceLink link = wanted.get(address);
        if (link == null) {
            RoceLink known = strangers.remove(address);
            link = known == null ? new RoceLink(this, peer, address) : known;
            wanted.put(address, link);
            sink.carrierReported(
                    peer,
                    "WINDOW",
                    "a queue pair has at most sendWindowPackets=" + settings.sendWindowPackets()
                            + " unacknowledged packets on the way to this peer, fewer after a loss;"
                            + " RoceOptions.withSendWindowPackets sets it");
        }
        return link;
    }

    /** The link for one datagram to the peer; null if its address cannot be reached. */
    public @Nullable RoceLink wayTo(Gid peer) {
        InetAddress address = addressOf(peer);
        if (address == null) {
            return null;
        }
        RoceLink known = at(address);
        if (known == null) {
            known = new RoceLink(this, peer, address);
            strangers.put(address, known);
        }
        return known;
    }

    private @Nullable RoceLink at(InetAddress address) {
        RoceLink link = wanted.get(address);
        return link == null ? strangers.get(address) : link;
    }

    /** The address that is the GID, with the interface of the own one; null if it is of the other family. */
    public @Nullable InetAddress addressOf(Gid peer) {
        InetAddress address = peer.toInetAddress();
        if (address instanceof Inet4Address) {
            return local instanceof Inet4Address ? address : null;
        }
        if (!(local instanceof Inet6Address own)) {
            return null;
        }
        return address.isLinkLocalAddress() ? scoped(address, own) : address;
    }

    private static InetAddress scoped(InetAddress address, Inet6Address own) {
        try {
            return Inet6Address.getByAddress(null, address.getAddress(), own.getScopeId());
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address of 16 bytes is refused", impossible);
        }
    }

    @Override
    public void received(InetSocketAddress from, ByteBuffer buffer, int lengthBytes) {
        if (!isReceiving()) {
            return;
        }
        InetAddress address = from.getAddress();
        RoceLink known = at(address);
        RoceLink link = known == null ? new RoceLink(this, Gid.of(address), address) : known;
        IpUdpHeader header = link.inward();
        if (header == null || address.isAnyLocalAddress() || address.isMulticastAddress()) {
            drop(own, DropReason.SOURCE_ADDRESS, address.getHostAddress() + " is the address of no device");
            return;
        }
        DropReason reason = reader.read(buffer, lengthBytes, header, from.getPort(), incoming);
        if (reason != null) {
            drop(link.peer(), reason, reader.sentence());
            return;
        }
        if (known == null) {
            strangers.put(address, link);
        }
        if (incoming.opcode().transport() == Transport.UD && !link.explainHeader()) {
            sink.carrierReported(
                    link.peer(),
                    "HEADER",
                    "sockets do not show traffic class, flow label and hop limit of datagrams: in the 40 bytes before them 0, 0"
                            + " and 64 stand for these");
        }
        FaultInjector injector = faults;
        if (injector == null) {
            sink.receive(link, incoming);
        } else {
            arrival.of(link);
            injector.decide(link.peer(), own, link.peer(), incoming, arrival);
        }
    }

    private void drop(Gid peer, DropReason reason, @Nullable String sentence) {
        drops.count(reason);
        sink.carrierReported(peer, reason.name(), sentence == null ? "" : sentence);
    }

    @Override
    public void hasRoom() {
        List<RoceLink> again = List.copyOf(waiting);
        waiting.clear();
        again.forEach(RoceLink::comeToTurn);
    }

    @Override
    public void failed(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        String remedy = message.contains("too long")
                ? "; the way to a peer carries less than a packet of its path MTU: use a smaller path MTU, or mend the MTU of the way"
                : "";
        String sentence = "the sockets of " + local.getHostAddress() + " failed: " + message + remedy;
        drops.countFailure();
        sink.carrierReported(own, PacketSink.SOCKET, sentence);
        lane.log().warn(sentence);
    }

    /** Whether a datagram can be sent now. */
    boolean hasRoom(RoceLink link) {
        UdpSockets way = sockets;
        return way == null || link.to() == null || way.room() != null;
    }

    /** The link comes to its turn when there is room. */
    void awaitRoom(RoceLink link) {
        waiting.add(link);
    }

    /** Whether the calling thread may write to the sockets; if not, that of the loop may. */
    boolean mayWrite() {
        UdpSockets way = sockets;
        return way == null || way.areDirect() || lane.isLoops();
    }

    void letLoopSend(Runnable turn) {
        lane.letLoopSend(turn);
    }

    void letSend(Runnable turn) {
        lane.letSend(turn);
    }

    /** The packet that sources fill. */
    Packet outgoing() {
        return outgoing;
    }

    /** Sends what a source filled; it is lost if the peer cannot be reached or the device is closed. */
    void send(RoceLink link, Packet packet, PacketSource source) {
        UdpSockets way = sockets;
        if (way == null || !plugged) {
            return;
        }
        SendingSocket from = socketFor(way, packet, source);
        FaultInjector injector = faults;
        if (injector == null) {
            send(way, link, packet, from, false);
        } else {
            departure.of(link, packet, from);
            injector.decide(own, link.peer(), link.peer(), packet, departure);
        }
    }

    private void send(UdpSockets way, RoceLink link, Packet packet, SendingSocket from, boolean corrupted) {
        InetSocketAddress to = link.to();
        IpUdpHeader header = link.outward();
        ByteBuffer buffer = way.room();
        if (to == null || header == null || buffer == null) {
            return;
        }
        int lengthBytes;
        try {
            lengthBytes = writer.write(packet, header, from.port(), buffer);
        } catch (InternalError e) {
            return; // memory is gone that it was to be copied from: lost, and where it is sent again the device finds
            // out
        }
        if (corrupted) {
            corrupt(buffer, header.sizeBytes() + lengthBytes);
        }
        way.send(from, header.sizeBytes(), lengthBytes, to);
    }

    /** Turns over a bit of the last word, which the ICRC is. */
    private static void corrupt(ByteBuffer datagram, int end) {
        datagram.put(end - 1, (byte) (datagram.get(end - 1) ^ 1));
    }

    private static Packet copyOf(Packet packet) {
        Packet copy = new Packet();
        copy.copyHeadersFrom(packet);
        byte[] payload = packet.payload().toBytes();
        copy.payload().add(ByteBuffer.wrap(payload), 0, payload.length);
        return copy;
    }

    /** A packet that is sent; a copy of its bytes if it waits. */
    private final class Departure implements PacketFate {

        private @Nullable RoceLink link;
        private @Nullable Packet packet;
        private @Nullable SendingSocket from;

        void of(RoceLink over, Packet sent, SendingSocket socket) {
            link = over;
            packet = sent;
            from = socket;
        }

        @Override
        public void pass(boolean corrupted) {
            UdpSockets way = sockets;
            if (way != null && link != null && packet != null && from != null) {
                send(way, link, packet, from, corrupted);
            }
        }

        @Override
        public Runnable keep(boolean corrupted) {
            RoceLink over = Objects.requireNonNull(link);
            SendingSocket socket = Objects.requireNonNull(from);
            Packet copy = copyOf(Objects.requireNonNull(packet));
            return () -> {
                UdpSockets way = sockets;
                if (way != null) {
                    send(way, over, copy, socket, corrupted);
                    way.flush();
                }
            };
        }
    }

    /** A packet that has come. */
    private final class Arrival implements PacketFate {

        private @Nullable RoceLink link;

        void of(RoceLink over) {
            link = over;
        }

        @Override
        public void pass(boolean corrupted) {
            arrive(Objects.requireNonNull(link), incoming, corrupted);
        }

        @Override
        public Runnable keep(boolean corrupted) {
            RoceLink over = Objects.requireNonNull(link);
            Packet copy = copyOf(incoming);
            return () -> arrive(over, copy, corrupted);
        }

        private void arrive(RoceLink over, Packet packet, boolean corrupted) {
            if (corrupted) {
                drop(over.peer(), DropReason.ICRC, "the fault that was injected damaged it");
            } else if (isReceiving()) {
                sink.receive(over, packet);
            }
        }
    }

    /** A datagram has the fields of its own address handle, any other packet those of its queue pair. */
    private SendingSocket socketFor(UdpSockets way, Packet packet, PacketSource source) {
        AddressVector path = packet.opcode().transport() == Transport.UD ? null : source.path();
        int flowLabel = path == null ? packet.flowLabel() : path.flowLabel();
        return way.from(
                way.isPool() ? SourcePort.of(source.queuePair(), packet.destQp(), flowLabel) : settings.port(),
                path == null ? packet.trafficClass() : path.trafficClass(),
                path == null ? packet.hopLimit() : path.hopLimit());
    }

    void flush() {
        UdpSockets way = sockets;
        if (way != null) {
            way.flush();
        }
    }

    void turnFailed(Gid peer, PacketSource source, Throwable thrown) {
        lane.turnFailed(peer, source, thrown);
    }

    /** The device of this fabric at that address was closed; the next one there is reached by another link. */
    public void forget(Gid peer) {
        InetAddress address = addressOf(peer);
        RoceLink link = wanted.remove(address);
        if (link == null) {
            link = strangers.remove(address);
        }
        if (link != null) {
            link.sever();
        }
    }

    private boolean isReceiving() {
        return open && plugged;
    }

    /** Why nothing leaves the port; null if something may. */
    @Nullable
    Refusal reasonOfSilence() {
        return plugged ? null : KnownDevices.withoutCarrier(own);
    }

    /** Takes the cable of the port away, or brings it back. */
    public void plug(boolean value) {
        if (plugged != value) {
            plugged = value;
            sink.carrierChanged(value);
        }
    }

    /** Nothing comes in any more. */
    public void shut() {
        open = false;
    }

    /** Sends what links were asked to send by now, as much as sockets take at once; the rest is lost. */
    public void sendLast() {
        List<RoceLink> all = new ArrayList<>(wanted.values());
        all.addAll(strangers.values());
        all.forEach(link -> link.sendUpTo(MOST_LAST_PULLS));
        if (faults != null) {
            faults.end();
        }
        sockets = null;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.transport.netty.roce.datagram.DatagramReader;
import dev.verbatim.transport.netty.roce.datagram.IpUdpHeader;
import dev.verbatim.transport.netty.roce.link.LinkSettings;
import dev.verbatim.transport.netty.roce.socket.Platform;
import dev.verbatim.transport.netty.roce.socket.SocketSettings;
import dev.verbatim.transport.netty.roce.socket.UdpTransport;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Options of a {@link RoceFabric}; immutable. Start from {@link #at}. */
public final class RoceOptions {

    /** Which devices are to be reached. */
    public enum Peers {
        /** Devices of Verbatim, of Linux's soft-RoCE, and adapters. */
        ANY,

        /** Devices of Verbatim only: also where the sockets cannot do what others need. */
        VERBATIM
    }

    private static final int IPV4_AND_UDP_BYTES = 28;
    private static final int MOST_SOURCE_PORTS = 1024;
    private static final int MOST_WINDOW_PACKETS = 4096;
    private static final int SMALLEST_WINDOW_PACKETS = 4;

    // Changed while the object is being made, and never again.
    private List<InetAddress> addresses = List.of();
    private SocketTransport transport = SocketTransport.NIO;
    private Peers peers = Peers.ANY;
    private boolean spinning;
    private boolean refusalReasons;
    private LinkLayer linkLayer = LinkLayer.ETHERNET;
    private boolean icrc = true;
    private boolean strictIcrc;
    private int sendWindowPackets = 128;
    private int sourcePorts = 16;
    private int socketBufferBytes = 4 << 20;
    private @Nullable FaultPolicy faults;
    private LongSupplier randomness = new SecureRandom()::nextLong;

    private RoceOptions() {}

    private RoceOptions(RoceOptions other) {
        addresses = other.addresses;
        transport = other.transport;
        peers = other.peers;
        spinning = other.spinning;
        refusalReasons = other.refusalReasons;
        linkLayer = other.linkLayer;
        icrc = other.icrc;
        strictIcrc = other.strictIcrc;
        sendWindowPackets = other.sendWindowPackets;
        sourcePorts = other.sourcePorts;
        socketBufferBytes = other.socketBufferBytes;
        faults = other.faults;
        randomness = other.randomness;
    }

    /**
     * The default options for devices at these addresses of this machine. Each device takes one of them, in this order.
     *
     * @throws IllegalArgumentException if none is named, one is named twice, or one is a wildcard or multicast address
     */
    public static RoceOptions at(InetAddress... addresses) {
        List<InetAddress> named = new ArrayList<>();
        for (InetAddress address : addresses) {
            if (address.isAnyLocalAddress() || address.isMulticastAddress() || named.contains(address)) {
                throw new IllegalArgumentException("address=" + address.getHostAddress()
                        + " is a wildcard or multicast address, or named twice; name each address of a device once");
            }
            named.add(address);
        }
        if (named.isEmpty()) {
            throw new IllegalArgumentException("addresses=0 < 1; name the address of each device");
        }
        return new RoceOptions().with(options -> options.addresses = List.copyOf(named));
    }

    List<InetAddress> addresses() {
        return addresses;
    }

    SocketTransport transport() {
        return transport;
    }

    /** The implementation of sockets: {@link SocketTransport#NIO}, the default, or {@link SocketTransport#EPOLL}. */
    public RoceOptions withTransport(SocketTransport chosen) {
        Objects.requireNonNull(chosen, "chosen");
        return with(options -> options.transport = chosen);
    }

    Peers peers() {
        return peers;
    }

    /** Which devices are to be reached; {@link Peers#ANY} by default, which is refused where the sockets cannot do it. */
    public RoceOptions withPeers(Peers chosen) {
        Objects.requireNonNull(chosen, "chosen");
        return with(options -> options.peers = chosen);
    }

    boolean refusalReasons() {
        return refusalReasons;
    }

    /**
     * Whether devices ask peers why they answered a request with a NAK, and tell peers that ask; false by default. Where both ends say
     * so, the explanation of a remote error has the responder's sentence as its cause, shortly after the completion (MAD-09). A peer
     * that is no Verbatim device gets at most three datagrams to queue pair 1, which it drops; no other packet differs.
     */
    public RoceOptions withRefusalReasons(boolean wanted) {
        return with(options -> options.refusalReasons = wanted);
    }

    LinkLayer linkLayer() {
        return linkLayer;
    }

    /**
     * What ports say of their link layer; {@link LinkLayer#ETHERNET} by default. With {@link LinkLayer#INFINIBAND} they do not say that
     * address vectors must be global, for programs that exchange LIDs; see {@code Device.gidOfLid}. Packets are the same. The LID of a port
     * is the low 16 bits of its IPv4 address, if that is 1 to 0xbfff, and leads to addresses with the same high bits.
     */
    public RoceOptions withLinkLayer(LinkLayer chosen) {
        Objects.requireNonNull(chosen, "chosen");
        return with(options -> options.linkLayer = chosen);
    }

    boolean spinning() {
        return spinning;
    }

    /** Whether the thread that opens the fabric drives it; false by default. See {@code NettyOptions.withSpinning}. */
    public RoceOptions withSpinning(boolean wanted) {
        return with(options -> options.spinning = wanted);
    }

    /** Whether ICRCs are made and checked; true by default. Without them only Verbatim devices with the same setting are reached. */
    public RoceOptions withIcrc(boolean wanted) {
        return with(options -> options.icrc = wanted);
    }

    /**
     * Whether an ICRC that is right for another IPv4 identification than 0 is wrong; false by default. Verbatim sends 0 where its
     * sockets can, others do not.
     */
    public RoceOptions withStrictIcrc(boolean wanted) {
        return with(options -> options.strictIcrc = wanted);
    }

    /**
     * Maximum number of unacknowledged request packets of a queue pair, 4 to 4096; 128 by default, as soft-RoCE has it. After a
     * loss a queue pair sends fewer at a time.
     */
    public RoceOptions withSendWindowPackets(int packets) {
        requireIn("sendWindowPackets", packets, SMALLEST_WINDOW_PACKETS, MOST_WINDOW_PACKETS);
        return with(options -> options.sendWindowPackets = packets);
    }

    /**
     * Maximum number of UDP ports that a device sends from, 1 to 1024; 16 by default. With 1 all packets leave from port 4791.
     * With more, the port follows from the numbers of both queue pairs or from the flow label.
     */
    public RoceOptions withSourcePorts(int ports) {
        requireIn("sourcePorts", ports, 1, MOST_SOURCE_PORTS);
        return with(options -> options.sourcePorts = ports);
    }

    /** Size of the send and receive buffers of sockets, in bytes; 4 MiB by default; 0 leaves those of the operating system. */
    public RoceOptions withSocketBufferBytes(int bytes) {
        requireIn("socketBufferBytes", bytes, 0, Integer.MAX_VALUE);
        return with(options -> options.socketBufferBytes = bytes);
    }

    @Nullable
    FaultPolicy faults() {
        return faults;
    }

    /**
     * Injects faults into what devices send and receive, as a simulation does; none by default. The policy is asked on the lane, once
     * for each packet of either direction.
     */
    public RoceOptions withFaults(FaultPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        return with(options -> options.faults = policy);
    }

    /** The same, with faults that are drawn by their odds; the latency is that of the network. The same seed draws the same. */
    public RoceOptions withFaults(LinkFaults odds, long seed) {
        return withFaults(FaultPolicy.drawn(odds, Choices.seeded(seed)));
    }

    /** Source of random numbers for GUIDs and seeds of keys; {@link SecureRandom} by default. */
    public RoceOptions withRandomness(LongSupplier source) {
        Objects.requireNonNull(source, "source");
        return with(options -> options.randomness = source);
    }

    long draw() {
        return randomness.getAsLong();
    }

    UdpTransport udp() {
        return RoceSupport.udp(transport);
    }

    /**
     * Refuses what cannot work.
     *
     * @param platform the JDK and the system that are to carry it
     * @throws VerbsException EOPNOTSUPP, with what is missing
     */
    void requirePossible(Platform platform) {
        for (InetAddress address : addresses) {
            // A device that requires identification 0 must be able to send it.
            boolean ipv4 = address instanceof Inet4Address;
            Peers needed = strictIcrc && ipv4 ? Peers.ANY : peers;
            String obstacle = RoceSupport.of(transport, ipv4, needed, platform).obstacle();
            if (obstacle != null) {
                throw VerbsException.of(
                        Errno.EOPNOTSUPP,
                        Rule.N_05,
                        "transport=%s cannot carry RoCEv2 at address=%s to peers=%s: %s",
                        transport,
                        address.getHostAddress(),
                        needed,
                        obstacle);
            }
        }
    }

    LinkSettings linkSettings() {
        return new LinkSettings(IpUdpHeader.ROCE_PORT, sendWindowPackets, icrc, strictIcrc);
    }

    SocketSettings socketSettings(InetAddress local) {
        return new SocketSettings(
                IpUdpHeader.ROCE_PORT,
                local instanceof Inet4Address ? IPV4_AND_UDP_BYTES : IpUdpHeader.MOST_BYTES,
                DatagramReader.MOST_BYTES,
                sourcePorts,
                socketBufferBytes,
                peers == Peers.ANY);
    }

    private RoceOptions with(Consumer<RoceOptions> change) {
        RoceOptions copy = new RoceOptions(this);
        change.accept(copy);
        return copy;
    }

    private static void requireIn(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + "=" + value + " is not in " + least + ".." + most);
        }
    }

    @Override
    public String toString() {
        return "RoceOptions[addresses="
                + addresses.stream().map(InetAddress::getHostAddress).toList()
                + ", transport=" + transport + ", peers=" + peers
                + (spinning ? ", spinning" : "")
                + (icrc ? strictIcrc ? ", icrc=strict-id0" : "" : ", icrc=off")
                + ", sendWindowPackets=" + sendWindowPackets
                + ", sourcePorts=" + sourcePorts + "]";
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Options of a {@link NettyFabric}; immutable. Start from {@link #defaults()}. */
public final class NettyOptions {

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final NettyOptions DEFAULTS = new NettyOptions();

    // Changed while the object is being made, and never again.
    private long helloTimeoutNanos = 5 * SECOND_NANOS;
    private long dialTimeoutNanos = 10 * SECOND_NANOS;
    private long redialPatienceNanos = 60 * SECOND_NANOS;
    private long carrierGraceNanos = 2 * SECOND_NANOS;
    private long closeTimeoutNanos = 2 * SECOND_NANOS;
    private int maxConnections = 256;
    private int socketBufferBytes;
    private boolean checksum;
    private SocketTransport transport = SocketTransport.NIO;
    private boolean spinning;
    private boolean refusalReasons;
    private @Nullable Tls tls;
    private @Nullable SharedSecret secret;
    private boolean listeningOpenly;
    private @Nullable List<Inet4Address> locations;
    private LinkLayer linkLayer = LinkLayer.ETHERNET;
    private LongSupplier randomness = new SecureRandom()::nextLong;

    private NettyOptions() {}

    private NettyOptions(NettyOptions other) {
        helloTimeoutNanos = other.helloTimeoutNanos;
        dialTimeoutNanos = other.dialTimeoutNanos;
        redialPatienceNanos = other.redialPatienceNanos;
        carrierGraceNanos = other.carrierGraceNanos;
        closeTimeoutNanos = other.closeTimeoutNanos;
        maxConnections = other.maxConnections;
        socketBufferBytes = other.socketBufferBytes;
        checksum = other.checksum;
        transport = other.transport;
        spinning = other.spinning;
        refusalReasons = other.refusalReasons;
        tls = other.tls;
        secret = other.secret;
        listeningOpenly = other.listeningOpenly;
        locations = other.locations;
        linkLayer = other.linkLayer;
        randomness = other.randomness;
    }

    /** The default options. */
    public static NettyOptions defaults() {
        return DEFAULTS;
    }

    long helloTimeoutNanos() {
        return helloTimeoutNanos;
    }

    /**
     * How long the handshake of a new connection may take, in nanoseconds; 5 s by default.
     *
     * @throws IllegalArgumentException if less than 1
     */
    public NettyOptions withHelloTimeoutNanos(long nanos) {
        requireAtLeast("helloTimeoutNanos", nanos, 1);
        return with(options -> options.helloTimeoutNanos = nanos);
    }

    long dialTimeoutNanos() {
        return dialTimeoutNanos;
    }

    /**
     * How long {@link NettyFabric#dial} may take, in nanoseconds; 10 s by default.
     *
     * @throws IllegalArgumentException if less than 1
     */
    public NettyOptions withDialTimeoutNanos(long nanos) {
        requireAtLeast("dialTimeoutNanos", nanos, 1);
        return with(options -> options.dialTimeoutNanos = nanos);
    }

    long redialPatienceNanos() {
        return redialPatienceNanos;
    }

    /**
     * How long a broken connection is redialled after its link was last used, in nanoseconds; 60 s by default.
     *
     * @throws IllegalArgumentException if negative
     */
    public NettyOptions withRedialPatienceNanos(long nanos) {
        requireAtLeast("redialPatienceNanos", nanos, 0);
        return with(options -> options.redialPatienceNanos = nanos);
    }

    long carrierGraceNanos() {
        return carrierGraceNanos;
    }

    /**
     * How long a connection may stay down before the device reports its peer as lost, in nanoseconds; 2 s by default. Connection
     * management then ends its connections with that peer. With 0 the device reports it at once.
     *
     * @throws IllegalArgumentException if negative
     */
    public NettyOptions withCarrierGraceNanos(long nanos) {
        requireAtLeast("carrierGraceNanos", nanos, 0);
        return with(options -> options.carrierGraceNanos = nanos);
    }

    long closeTimeoutNanos() {
        return closeTimeoutNanos;
    }

    /**
     * How long closing a device waits for sockets to take what was posted before, in nanoseconds; 2 s by default. Data that a peer
     * has not read by then is lost. With 0 only what the sockets take at once is sent.
     *
     * @throws IllegalArgumentException if negative
     */
    public NettyOptions withCloseTimeoutNanos(long nanos) {
        requireAtLeast("closeTimeoutNanos", nanos, 0);
        return with(options -> options.closeTimeoutNanos = nanos);
    }

    boolean refusalReasons() {
        return refusalReasons;
    }

    /**
     * Whether devices ask peers why they answered a request with a NAK, and tell peers that ask; false by default. Where both ends say
     * so, the explanation of a remote error has the responder's sentence as its cause, shortly after the completion (MAD-09). A peer
     * learns what the key grants that its own request named, and nothing of other keys.
     */
    public NettyOptions withRefusalReasons(boolean wanted) {
        return with(options -> options.refusalReasons = wanted);
    }

    int maxConnections() {
        return maxConnections;
    }

    /**
     * Maximum number of accepted connections of a device; 256 by default. Each uses about 256 KiB of direct memory, and as much
     * again after a long payload that could not be read straight into registered memory. Connections that have not completed the
     * handshake do not count: a device keeps at most 128 of them, and closes the oldest when another one comes.
     *
     * @throws IllegalArgumentException if less than 1
     */
    public NettyOptions withMaxConnections(int connections) {
        requireAtLeast("maxConnections", connections, 1);
        return with(options -> options.maxConnections = connections);
    }

    int socketBufferBytes() {
        return socketBufferBytes;
    }

    /**
     * Size of the send and receive buffers of sockets, in bytes; 0, the default, leaves the sizes of the operating system.
     *
     * @throws IllegalArgumentException if negative
     */
    public NettyOptions withSocketBufferBytes(int bytes) {
        requireAtLeast("socketBufferBytes", bytes, 0);
        return with(options -> options.socketBufferBytes = bytes);
    }

    boolean checksum() {
        return checksum;
    }

    /** Whether to protect packets with CRC32C if the peer wants it too; false by default. */
    public NettyOptions withChecksum(boolean wanted) {
        return with(options -> options.checksum = wanted);
    }

    SocketTransport transport() {
        return transport;
    }

    /** The implementation of sockets; {@link SocketTransport#NIO} by default. */
    public NettyOptions withTransport(SocketTransport chosen) {
        Objects.requireNonNull(chosen, "chosen");
        return with(options -> options.transport = chosen);
    }

    boolean spinning() {
        return spinning;
    }

    /**
     * Whether the thread that opens the fabric drives it; false by default. Then no other thread is involved: posts of that thread
     * write to the socket, its polls read from it, and it drives the fabric while it waits. It owns the fabric until it is closed.
     * Other threads may call everything, but nothing progresses unless the owner polls or waits.
     */
    public NettyOptions withSpinning(boolean wanted) {
        return with(options -> options.spinning = wanted);
    }

    @Nullable
    Tls tls() {
        return tls;
    }

    /** Encrypts and authenticates connections by TLS; no TLS by default. Both ends need it. */
    public NettyOptions withTls(Tls chosen) {
        Objects.requireNonNull(chosen, "chosen");
        return with(options -> options.tls = chosen);
    }

    @Nullable
    SharedSecret secret() {
        return secret;
    }

    /**
     * Requires peers to know the same secret; none by default. Both ends prove it in the handshake. Without TLS the packets that
     * follow are neither encrypted nor authenticated.
     */
    public NettyOptions withSecret(SharedSecret chosen) {
        Objects.requireNonNull(chosen, "chosen");
        return with(options -> options.secret = chosen);
    }

    /** Whether to allow listening on non-loopback addresses without authentication of peers; false by default. */
    public NettyOptions withListeningOpenly(boolean wanted) {
        return with(options -> options.listeningOpenly = wanted);
    }

    /**
     * Whether these options allow listening on an address: it is a loopback address, or peers must authenticate by TLS or a secret,
     * or listening without authentication is allowed.
     */
    public boolean mayListen(InetSocketAddress address) {
        boolean proven = secret != null || (tls != null && tls.isMutual());
        return proven || listeningOpenly || address.getAddress().isLoopbackAddress();
    }

    /**
     * Refuses a non-loopback address, unless peers are authenticated or listening openly is allowed.
     *
     * @throws VerbsException EACCES if so; EINVAL if {@link Tls} has no certificate for listening
     */
    void requireMayListen(InetSocketAddress address) {
        requireIdentity();
        if (!mayListen(address)) {
            throw VerbsException.of(
                    Errno.EACCES,
                    Rule.N_05,
                    "listening at address=%s would accept every peer; use NettyOptions.withTls, which"
                            + " authenticates them, or withSecret, or a loopback address, or, where every peer may be"
                            + " trusted, withListeningOpenly(true)",
                    address);
        }
    }

    /** Addresses of devices with locating GIDs, none for loopback addresses of their own; null without such GIDs. */
    @Nullable
    List<Inet4Address> locations() {
        return locations;
    }

    /** Refuses to listen with EINVAL if {@link Tls} has no certificate for it. */
    void requireIdentity() {
        if (tls != null) {
            tls.requireIdentity();
        }
    }

    /**
     * Gives devices GIDs that say where they listen, and dials unknown GIDs of that kind, so that peers that exchange only GIDs find each
     * other; without by default. Each device listens from when it is opened until it is closed.
     *
     * <p>Without an address each device takes a free one of 127.1.0.1 to 127.1.191.255, TCP port 4791, and its GID is that address, as
     * {@code ::ffff:127.1.2.3}. The last two bytes are the LID of its port, which leads to the GID. This is for programs of one machine.
     *
     * <p>With addresses, the first device at one has TCP port 4791 and the address as its GID. When all of them have a device, further
     * devices, of this and other processes, are at the first address and a port that the system chooses, and have a link-local GID
     * that contains both.
     *
     * <p>Connection management takes all addresses of this machine for the device's own, and the wildcard stands for the loopback
     * addresses if these options do not allow to listen at others.
     *
     * @param addresses IPv4 addresses of this machine
     * @throws IllegalArgumentException if one is no IPv4 address, or is a wildcard or multicast address
     */
    public NettyOptions withLocatingGids(InetAddress... addresses) {
        List<Inet4Address> named = new ArrayList<>();
        for (InetAddress address : addresses) {
            if (!(address instanceof Inet4Address four) || four.isAnyLocalAddress() || four.isMulticastAddress()) {
                throw new IllegalArgumentException("address=" + address.getHostAddress()
                        + " is no IPv4 address of one interface; a locating GID is made of one");
            }
            named.add(four);
        }
        return with(options -> options.locations = List.copyOf(named));
    }

    LinkLayer linkLayer() {
        return linkLayer;
    }

    /**
     * What ports say of their link layer; {@link LinkLayer#ETHERNET} by default. With {@link LinkLayer#INFINIBAND} they do not say that
     * address vectors must be global, for programs that exchange LIDs; see {@code Device.gidOfLid}. Packets are the same.
     */
    public NettyOptions withLinkLayer(LinkLayer chosen) {
        Objects.requireNonNull(chosen, "chosen");
        return with(options -> options.linkLayer = chosen);
    }

    /**
     * Source of random numbers for incarnations, tickets, nonces, GUIDs and seeds of keys; {@link SecureRandom} by default.
     */
    public NettyOptions withRandomness(LongSupplier source) {
        Objects.requireNonNull(source, "source");
        return with(options -> options.randomness = source);
    }

    /** A random number other than 0. */
    long draw() {
        long drawn = randomness.getAsLong();
        while (drawn == 0) {
            drawn = randomness.getAsLong();
        }
        return drawn;
    }

    private NettyOptions with(Consumer<NettyOptions> change) {
        NettyOptions copy = new NettyOptions(this);
        change.accept(copy);
        return copy;
    }

    private static void requireAtLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + "=" + value + " < " + least);
        }
    }

    /** Without the value of the secret. */
    @Override
    public String toString() {
        return "NettyOptions[transport=" + transport
                + (spinning ? ", spinning" : "")
                + (checksum ? ", checksum" : "")
                + (tls == null ? "" : ", " + tls)
                + (secret == null ? "" : ", a secret")
                + (listeningOpenly ? ", listening openly" : "")
                + (locations == null ? "" : ", locating GIDs")
                + ", maxConnections=" + maxConnections + "]";
    }
}

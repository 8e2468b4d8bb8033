// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How a {@link NettyFabric} behaves; immutable. Start from {@link #defaults()} and change what matters. */
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
    private @Nullable Tls tls;
    private @Nullable SharedSecret secret;
    private boolean listeningOpenly;
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
        tls = other.tls;
        secret = other.secret;
        listeningOpenly = other.listeningOpenly;
        randomness = other.randomness;
    }

    /** What holds unless something else is said. */
    public static NettyOptions defaults() {
        return DEFAULTS;
    }

    long helloTimeoutNanos() {
        return helloTimeoutNanos;
    }

    /**
     * Within which both ends of a new connection must have named themselves; 5 s unless set.
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
     * Within which {@link NettyFabric#dial} must have succeeded; 10 s unless set.
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
     * For how long after a link was last wanted a broken connection is dialled anew; 60 s unless set.
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
     * How long a connection that broke may stay away until the device is told that it lost the way to its peer, which ends what
     * connection management holds of that peer; 2 s unless set. With 0 it is told at once.
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
     * How long a device that is closed waits at most until sockets have taken what it had to send before; 2 s unless set. A peer
     * that reads takes it at once; one that does not loses what is left then. With 0 only what is taken at once is sent.
     *
     * @throws IllegalArgumentException if negative
     */
    public NettyOptions withCloseTimeoutNanos(long nanos) {
        requireAtLeast("closeTimeoutNanos", nanos, 0);
        return with(options -> options.closeTimeoutNanos = nanos);
    }

    int maxConnections() {
        return maxConnections;
    }

    /**
     * Accepted connections of a device at a time that have said their hello; 256 unless set. Each costs some 256 KiB of direct
     * memory, and as much again once a long payload has come that could not land.
     * Those who say nothing do not count: they are few, cost next to nothing, and give way to others.
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
     * Size of the operating system's send and receive buffers; unless set, or with 0, they are left alone.
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

    /** Whether to protect what is carried with CRC32C, if the peer wants that too; not unless set. */
    public NettyOptions withChecksum(boolean wanted) {
        return with(options -> options.checksum = wanted);
    }

    SocketTransport transport() {
        return transport;
    }

    /** The way to the operating system's sockets; {@link SocketTransport#NIO} unless set. */
    public NettyOptions withTransport(SocketTransport chosen) {
        Objects.requireNonNull(chosen, "chosen");
        return with(options -> options.transport = chosen);
    }

    boolean spinning() {
        return spinning;
    }

    /**
     * Whether the thread that opens the fabric drives it; not unless set. Then nothing is handed from thread to thread: that
     * thread's posts write to the socket and its polls read from it, and while it waits it drives the fabric too. It owns
     * the fabric for good. Other threads may do everything as ever, but nothing happens unless the owner polls or waits.
     */
    public NettyOptions withSpinning(boolean wanted) {
        return with(options -> options.spinning = wanted);
    }

    @Nullable
    Tls tls() {
        return tls;
    }

    /** Encrypts and protects everything, and says who proves itself to whom; no TLS unless set. Both ends need it. */
    public NettyOptions withTls(Tls chosen) {
        Objects.requireNonNull(chosen, "chosen");
        return with(options -> options.tls = chosen);
    }

    @Nullable
    SharedSecret secret() {
        return secret;
    }

    /**
     * Lets in only those who know the same secret; none unless set. Both ends prove it to each other at the beginning of a
     * connection. Without TLS what follows is neither encrypted nor protected.
     */
    public NettyOptions withSecret(SharedSecret chosen) {
        Objects.requireNonNull(chosen, "chosen");
        return with(options -> options.secret = chosen);
    }

    /**
     * Whether to listen also where strangers may come by, at addresses other than this machine's loopback, without asking
     * them for any proof; not unless set.
     */
    public NettyOptions withListeningOpenly(boolean wanted) {
        return with(options -> options.listeningOpenly = wanted);
    }

    /**
     * Whether an address may be listened at: a loopback address of this machine, or one where strangers have to prove
     * themselves by TLS or a secret, or are welcome.
     */
    public boolean mayListen(InetSocketAddress address) {
        boolean proven = secret != null || (tls != null && tls.isMutual());
        return proven || listeningOpenly || address.getAddress().isLoopbackAddress();
    }

    /**
     * Refuses an address at which strangers could dial, unless they have to prove themselves or are welcome.
     *
     * @throws VerbsException EACCES if so; EINVAL if this end cannot prove itself as {@link Tls} asks of who listens
     */
    void requireMayListen(InetSocketAddress address) {
        if (tls != null) {
            tls.requireIdentity();
        }
        if (!mayListen(address)) {
            throw VerbsException.of(
                    Errno.EACCES,
                    Rule.N_05,
                    "listening at address=%s would let in anybody who reaches it; choose NettyOptions.withTls, whose"
                            + " diallers prove themselves, or withSecret, or a loopback address, or, where everybody may be"
                            + " trusted, withListeningOpenly(true)",
                    address);
        }
    }

    /** Where incarnations, tickets, nonces, GUIDs and seeds of keys are drawn from; {@link SecureRandom} unless set. */
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

    /** Says that there is a secret, and not which. */
    @Override
    public String toString() {
        return "NettyOptions[transport=" + transport
                + (spinning ? ", spinning" : "")
                + (checksum ? ", checksum" : "")
                + (tls == null ? "" : ", " + tls)
                + (secret == null ? "" : ", a secret")
                + (listeningOpenly ? ", listening openly" : "")
                + ", maxConnections=" + maxConnections + "]";
    }
}

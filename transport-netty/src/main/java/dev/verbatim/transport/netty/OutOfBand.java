// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Clock;
import dev.verbatim.fabric.SystemClock;
import dev.verbatim.transport.netty.security.TlsFailure;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A conversation between two processes in lines of text, by which they tell each other what their queue pairs need to
 * know before they can talk. Blocking; for one thread at a time.
 *
 * <pre>{@code
 * try (OutOfBandListener port = OutOfBandListener.open(new InetSocketAddress("localhost", 7471));
 *         OutOfBand peer = port.accept(timeoutNanos)) {
 *     ConnectionData theirs = peer.exchange(mine, timeoutNanos);
 * }
 * try (OutOfBand peer = OutOfBand.connect(new InetSocketAddress(host, 7471), timeoutNanos)) { // the other
 *     ConnectionData theirs = peer.exchange(mine, timeoutNanos);
 *     fabric.dial(new InetSocketAddress(peer.peerAddress(), (int) theirs.number(ConnectionData.FABRIC_PORT)));
 * }
 * }</pre>
 *
 * <p>Lines carry keys. With the options of a fabric that has {@link Tls} or a {@link SharedSecret} both ends do the same
 * here: TLS encrypts the lines, a secret alone lets nobody else say or change one.
 */
public final class OutOfBand implements AutoCloseable {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int TLS_HANDSHAKE = 22;
    private static final Clock CLOCK = SystemClock.INSTANCE;

    private final Socket plain;
    private final Socket socket;
    private final InputStream in;
    private final @Nullable LineProof proof;

    /** Talks over a connected socket, which it takes over, by the one that does TLS over it or the same again. */
    private OutOfBand(Socket plain, Socket socket, @Nullable LineProof proof) throws IOException {
        this.plain = plain;
        this.socket = socket;
        this.proof = proof;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Connects with {@link NettyOptions#defaults()}. */
    public static OutOfBand connect(InetSocketAddress address, long timeoutNanos) {
        return connect(address, timeoutNanos, NettyOptions.defaults());
    }

    /**
     * Connects to a process that has an {@link OutOfBandListener} with the same options.
     *
     * @param timeoutNanos how long it may take, at least 1
     * @param options their TLS and secret are used
     * @throws VerbsException EIO if no program listens there, ETIMEDOUT if there is no answer in time, EACCES if authentication fails
     */
    public static OutOfBand connect(InetSocketAddress address, long timeoutNanos, NettyOptions options) {
        Socket socket = new Socket();
        try {
            socket.connect(address, toMillis(timeoutNanos));
        } catch (IOException e) {
            closeQuietly(socket);
            throw VerbsException.of(
                    e instanceof SocketTimeoutException ? Errno.ETIMEDOUT : Errno.EIO,
                    Rule.N_05,
                    "calling address=%s failed: %s; start the other process first and give the port that it shows",
                    address,
                    String.valueOf(e.getMessage()));
        }
        return begin(socket, address, timeoutNanos, options);
    }

    /**
     * Begins to talk: TLS, then the challenges, if the options have them. Nobody gets longer for that than he should,
     * however slowly he speaks.
     *
     * @param dialled the address that this end dialled; null if the other end did
     */
    static OutOfBand begin(Socket plain, @Nullable InetSocketAddress dialled, long timeoutNanos, NettyOptions options) {
        long mostNanos = Math.min(timeoutNanos, options.helloTimeoutNanos());
        AtomicBoolean begun = new AtomicBoolean();
        if (options.tls() != null) {
            // A read of TLS may take many reads of the socket, so that their time limits would not limit the whole.
            CompletableFuture.delayedExecutor(mostNanos, TimeUnit.NANOSECONDS).execute(() -> {
                if (!begun.get()) {
                    closeQuietly(plain);
                }
            });
        }
        String host =
                options.tls() == null || dialled == null ? null : options.tls().expectedHost(dialled);
        OutOfBand fresh = null;
        try {
            plain.setTcpNoDelay(true);
            plain.setSoTimeout(toMillis(mostNanos));
            Socket socket = plain;
            byte[] fingerprint = new byte[Proof.FINGERPRINT_BYTES];
            if (options.tls() != null) {
                SSLSocket secured = dialled == null
                        ? options.tls().accept(plain)
                        : options.tls().dial(plain, dialled);
                secured.startHandshake();
                fingerprint = dialled == null
                        ? options.tls().fingerprint()
                        : Tls.fingerprintOf(secured.getSession().getPeerCertificates()[0]);
                socket = secured;
            }
            SharedSecret secret = options.secret();
            LineProof proof = secret == null
                    ? null
                    : new LineProof(secret, dialled != null, options.draw(), options.draw(), fingerprint);
            fresh = new OutOfBand(plain, socket, proof);
            if (proof != null) {
                fresh.write(proof.challenge());
                proof.meet(fresh.readLine(mostNanos));
            }
            begun.set(true);
            return fresh;
        } catch (IOException e) {
            closeQuietly(plain);
            throw VerbsException.of(
                    TlsFailure.isOne(e)
                            ? Errno.EACCES
                            : e instanceof SocketTimeoutException ? Errno.ETIMEDOUT : Errno.EIO,
                    Rule.N_05,
                    "talking to peer=%s failed: %s",
                    plain.getRemoteSocketAddress(),
                    TlsFailure.isOne(e)
                            ? TlsFailure.sentence(e, host)
                            : e.getMessage() + "; give both ends the same options, and see whether it still runs");
        } catch (VerbsException e) {
            closeQuietly(plain);
            throw e;
        }
    }

    /** Address of the peer; its fabric is on the same machine. */
    public InetAddress peerAddress() {
        return socket.getInetAddress();
    }

    /**
     * Sends a line.
     *
     * @throws VerbsException EIO if the connection is closed
     */
    public void send(ConnectionData mine) {
        String line = mine.toString();
        write(proof == null ? line : proof.prove(line));
    }

    /**
     * Receives a line.
     *
     * @param timeoutNanos how long the whole line may take, at least 1
     * @throws VerbsException ETIMEDOUT if no whole line arrives in time, EIO if the connection is closed, EINVAL if the line is
     *     malformed, EACCES if its proof is wrong
     */
    public ConnectionData receive(long timeoutNanos) {
        String line = readLine(timeoutNanos);
        if (proof != null) {
            return ConnectionData.parse(proof.proven(line));
        }
        if (LineProof.isChallenge(line)) {
            throw VerbsException.of(
                    Errno.EACCES,
                    Rule.N_05,
                    "peer=%s has a shared secret and this end has none; give both the same, or neither",
                    socket.getRemoteSocketAddress());
        }
        return ConnectionData.parse(line);
    }

    private void write(String line) {
        try {
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw gone(alertInsteadOf(e));
        }
    }

    /** Under TLS the other end may have said why before it closed the connection. */
    private IOException alertInsteadOf(IOException failure) {
        try {
            socket.setSoTimeout(1);
            int unused = in.read();
            return failure;
        } catch (IOException e) {
            return TlsFailure.isOne(e) ? e : failure;
        }
    }

    private String readLine(long timeoutNanos) {
        int mostChars = TransportLimits.LONGEST_LINE_BYTES + (proof == null ? 0 : LineProof.SIZE_CHARS);
        StringBuilder line = new StringBuilder();
        long startNanos = CLOCK.nanoTime();
        try {
            int next = read(timeoutNanos);
            while (next != '\n') {
                if (next < 0) {
                    throw gone("it closed the connection after [" + line + "]");
                }
                if (next == TLS_HANDSHAKE && line.isEmpty()) {
                    throw VerbsException.of(
                            Errno.EACCES,
                            Rule.N_05,
                            "peer=%s uses TLS and this end does not; give both the same certificates, or neither",
                            socket.getRemoteSocketAddress());
                }
                if (next < ' ' || next > '~' || line.length() == mostChars) {
                    throw VerbsException.of(
                            Errno.EINVAL,
                            Rule.N_05,
                            "peer=%s said [%s] and then byte=0x%x; a line has at most %d printable ASCII characters, so"
                                    + " who answers there is not Verbatim",
                            socket.getRemoteSocketAddress(),
                            line,
                            next,
                            mostChars);
                }
                line.append((char) next);
                next = read(timeoutNanos - (CLOCK.nanoTime() - startNanos));
            }
        } catch (SocketTimeoutException e) {
            throw VerbsException.of(
                    Errno.ETIMEDOUT,
                    Rule.N_05,
                    "peer=%s said [%s] and no more within timeoutNanos=%d; see whether it still runs",
                    socket.getRemoteSocketAddress(),
                    line,
                    timeoutNanos);
        } catch (IOException e) {
            throw gone(e);
        }
        return line.toString();
    }

    /** Sends a line and receives one: {@link #send} and {@link #receive}. */
    public ConnectionData exchange(ConnectionData mine, long timeoutNanos) {
        send(mine);
        return receive(timeoutNanos);
    }

    @Override
    public void close() {
        try {
            // TLS sends close_notify. Closing that socket would wait for that of the other end.
            socket.shutdownOutput();
        } catch (IOException e) {
            // The other end is gone already.
        } finally {
            closeQuietly(plain);
        }
    }

    /** Whole milliseconds, at least 1, since 0 means no timeout. */
    static int toMillis(long nanos) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, nanos / NANOS_PER_MILLI));
    }

    private int read(long leftNanos) throws IOException {
        if (leftNanos <= 0) {
            throw new SocketTimeoutException();
        }
        socket.setSoTimeout(toMillis(leftNanos));
        return in.read();
    }

    private VerbsException gone(IOException failure) {
        if (TlsFailure.isOne(failure)) {
            return VerbsException.of(
                    Errno.EACCES,
                    Rule.N_05,
                    "talking to peer=%s failed: %s",
                    socket.getRemoteSocketAddress(),
                    TlsFailure.sentence(failure, null));
        }
        return gone(String.valueOf(failure.getMessage()));
    }

    private VerbsException gone(String why) {
        return VerbsException.of(
                Errno.EIO, Rule.N_05, "peer=%s is gone: %s; look into its log", socket.getRemoteSocketAddress(), why);
    }

    static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more either way.
            return;
        }
    }

    @Override
    public String toString() {
        return "out of band with " + plain.getRemoteSocketAddress();
    }
}

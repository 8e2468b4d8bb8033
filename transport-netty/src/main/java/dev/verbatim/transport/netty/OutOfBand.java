// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Clock;
import dev.verbatim.fabric.SystemClock;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A conversation between two processes in lines of text, by which they tell each other what their queue pairs need to
 * know before they can talk. Blocking; for one thread at a time.
 *
 * <pre>{@code
 * try (OutOfBandListener port = OutOfBandListener.open(new InetSocketAddress(7471)); // one process
 *         OutOfBand peer = port.accept(timeoutNanos)) {
 *     Endpoint theirs = peer.exchange(mine, timeoutNanos);
 * }
 * try (OutOfBand peer = OutOfBand.connect(new InetSocketAddress(host, 7471), timeoutNanos)) { // the other
 *     Endpoint theirs = peer.exchange(mine, timeoutNanos);
 *     fabric.dial(new InetSocketAddress(peer.peerAddress(), (int) theirs.number(Endpoint.FABRIC_PORT)));
 * }
 * }</pre>
 */
public final class OutOfBand implements AutoCloseable {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final Clock CLOCK = SystemClock.INSTANCE;

    private final Socket socket;
    private final InputStream in;

    /** Takes over a connected socket. */
    OutOfBand(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Calls a process that has an {@link OutOfBandListener}.
     *
     * @param timeoutNanos how long at most, more than 0
     * @throws VerbsException EIO if nobody listens there, ETIMEDOUT if there is no answer
     */
    public static OutOfBand connect(InetSocketAddress address, long timeoutNanos) {
        Socket socket = new Socket();
        try {
            socket.connect(address, toMillis(timeoutNanos));
            return new OutOfBand(socket);
        } catch (IOException e) {
            closeQuietly(socket);
            throw VerbsException.of(
                    e instanceof SocketTimeoutException ? Errno.ETIMEDOUT : Errno.EIO,
                    "N-05",
                    "calling address=%s failed: %s; start the other process first and give the port that it shows",
                    address,
                    String.valueOf(e.getMessage()));
        }
    }

    /** Where the peer is; its fabric is on the same machine. */
    public InetAddress peerAddress() {
        return socket.getInetAddress();
    }

    /**
     * Says a line.
     *
     * @throws VerbsException EIO if the peer is gone
     */
    public void send(Endpoint mine) {
        try {
            socket.getOutputStream().write(mine.toLine());
        } catch (IOException e) {
            throw gone(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Waits for a line.
     *
     * @param timeoutNanos for the whole line, more than 0
     * @throws VerbsException ETIMEDOUT if it does not come whole in time, EIO if the peer is gone, EINVAL if what came
     *     is no such line
     */
    public Endpoint receive(long timeoutNanos) {
        StringBuilder line = new StringBuilder();
        long startNanos = CLOCK.nanoTime();
        try {
            int next = read(timeoutNanos);
            while (next != '\n') {
                if (next < 0) {
                    throw gone("it closed the connection after [" + line + "]");
                }
                if (next < ' ' || next > '~' || line.length() == TransportLimits.LONGEST_LINE_BYTES) {
                    throw VerbsException.of(
                            Errno.EINVAL,
                            "N-05",
                            "peer=%s said [%s] and then byte=0x%x; a line has at most %d printable ASCII characters, so"
                                    + " who answers there is not Verbatim",
                            socket.getRemoteSocketAddress(),
                            line,
                            next,
                            TransportLimits.LONGEST_LINE_BYTES);
                }
                line.append((char) next);
                next = read(timeoutNanos - (CLOCK.nanoTime() - startNanos));
            }
        } catch (SocketTimeoutException e) {
            throw VerbsException.of(
                    Errno.ETIMEDOUT,
                    "N-05",
                    "peer=%s said [%s] and no more within timeoutNanos=%d; see whether it still runs",
                    socket.getRemoteSocketAddress(),
                    line,
                    timeoutNanos);
        } catch (IOException e) {
            throw gone(String.valueOf(e.getMessage()));
        }
        return Endpoint.parse(line.toString());
    }

    /** Says a line and waits for one; {@link #send} and {@link #receive} in one. */
    public Endpoint exchange(Endpoint mine, long timeoutNanos) {
        send(mine);
        return receive(timeoutNanos);
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }

    /** Whole milliseconds, at least 1, since 0 would be for ever. */
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

    private VerbsException gone(String why) {
        return VerbsException.of(
                Errno.EIO, "N-05", "peer=%s is gone: %s; look into its log", socket.getRemoteSocketAddress(), why);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more either way.
            return;
        }
    }
}

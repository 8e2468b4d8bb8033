// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.SystemClock;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Accepts {@link OutOfBand} connections at a TCP port. */
public final class OutOfBandListener implements AutoCloseable {

    private final ServerSocket server;
    private final NettyOptions options;

    /** Held by the thread that waits for a connection. */
    private final Semaphore accepting = new Semaphore(1);

    private OutOfBandListener(ServerSocket server, NettyOptions options) {
        this.server = server;
        this.options = options;
    }

    /** Listens with {@link NettyOptions#defaults()}. */
    public static OutOfBandListener open(InetSocketAddress address) {
        return open(address, NettyOptions.defaults());
    }

    /**
     * Listens on an address.
     *
     * @param address with port 0 the system chooses one
     * @param options their TLS and secret are used, and whether to listen without authentication
     * @throws VerbsException EIO if the address is not available; EACCES if it is not a loopback address and the options do not
     *     authenticate peers; EINVAL if the options have {@link Tls} without a certificate
     */
    public static OutOfBandListener open(InetSocketAddress address, NettyOptions options) {
        options.requireMayListen(address);
        ServerSocket server = null;
        try {
            server = new ServerSocket();
            server.bind(address);
            return new OutOfBandListener(server, options);
        } catch (IOException e) {
            if (server != null) {
                closeQuietly(server);
            }
            throw VerbsException.of(
                    Errno.EIO,
                    Rule.N_05,
                    "listening at address=%s failed: %s; choose an address of this machine and a free port, or port 0",
                    address,
                    String.valueOf(e.getMessage()));
        }
    }

    /** The address with its port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /**
     * Waits for a connection.
     *
     * @param timeoutNanos how long it may take, at least 1
     * @throws VerbsException ETIMEDOUT if there is none in time, EIO if the listener is closed, EINTR if the thread is interrupted while
     *     another one waits, EACCES if authentication fails; the listener may be used again afterwards
     */
    public OutOfBand accept(long timeoutNanos) {
        return OutOfBand.begin(acceptSocket(timeoutNanos), null, timeoutNanos, options);
    }

    /** One thread after the other waits in the socket's own accept, of which there is one time limit. */
    private Socket acceptSocket(long timeoutNanos) {
        long startNanos = SystemClock.INSTANCE.nanoTime();
        try {
            if (!accepting.tryAcquire(timeoutNanos, TimeUnit.NANOSECONDS)) {
                throw tooLate(timeoutNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw WaitPoint.interrupted();
        }
        try {
            long leftNanos = Math.max(1, timeoutNanos - (SystemClock.INSTANCE.nanoTime() - startNanos));
            server.setSoTimeout(OutOfBand.toMillis(leftNanos));
            return server.accept();
        } catch (SocketTimeoutException e) {
            throw tooLate(timeoutNanos);
        } catch (IOException e) {
            throw VerbsException.of(
                    Errno.EIO,
                    Rule.N_05,
                    "waiting for a call failed: %s; open the port anew",
                    String.valueOf(e.getMessage()));
        } finally {
            accepting.release();
        }
    }

    private VerbsException tooLate(long timeoutNanos) {
        return VerbsException.of(
                Errno.ETIMEDOUT,
                Rule.N_05,
                "no connection to address=%s within timeoutNanos=%d; start the other process with this address",
                address(),
                timeoutNanos);
    }

    /**
     * Stops listening; threads in {@link #accept} get EIO. When this returns, others may listen at the address: the system listens
     * for as long as a thread is in its call to accept, so this waits until that has left it.
     */
    @Override
    public void close() {
        closeQuietly(server);
        accepting.acquireUninterruptibly();
        accepting.release();
    }

    private static void closeQuietly(ServerSocket server) {
        try {
            server.close();
        } catch (IOException e) {
            // It is of no use any more either way.
            return;
        }
    }

    @Override
    public String toString() {
        return "out of band at " + server.getLocalSocketAddress();
    }
}

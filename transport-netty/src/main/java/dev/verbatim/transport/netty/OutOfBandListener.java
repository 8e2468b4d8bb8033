// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** The port at which a process waits for another that wants an {@link OutOfBand} conversation. */
public final class OutOfBandListener implements AutoCloseable {

    private final ServerSocket server;
    private final NettyOptions options;

    private OutOfBandListener(ServerSocket server, NettyOptions options) {
        this.server = server;
        this.options = options;
    }

    /** The same as with {@link NettyOptions#defaults()}. */
    public static OutOfBandListener open(InetSocketAddress address) {
        return open(address, NettyOptions.defaults());
    }

    /**
     * Opens a port.
     *
     * @param address where; port 0 lets the system choose one
     * @param options whose TLS and secret to use, and whether to listen openly
     * @throws VerbsException EIO if the address cannot be had; EACCES if strangers could come by there and the options ask
     *     them for no proof; EINVAL if the options have {@link Tls} but no certificate
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

    /** Where the listener is, with the port that it has got. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /**
     * Waits for somebody to call.
     *
     * @param timeoutNanos how long at most, more than 0
     * @throws VerbsException ETIMEDOUT if nobody does, EIO if the listener is closed, EACCES if who calls does not prove what
     *     the options ask for; then another may be waited for
     */
    public OutOfBand accept(long timeoutNanos) {
        return OutOfBand.begin(acceptSocket(timeoutNanos), null, timeoutNanos, options);
    }

    private Socket acceptSocket(long timeoutNanos) {
        try {
            server.setSoTimeout(OutOfBand.toMillis(timeoutNanos));
            return server.accept();
        } catch (SocketTimeoutException e) {
            throw VerbsException.of(
                    Errno.ETIMEDOUT,
                    Rule.N_05,
                    "nobody called address=%s within timeoutNanos=%d; start the other process with this address",
                    address(),
                    timeoutNanos);
        } catch (IOException e) {
            throw VerbsException.of(
                    Errno.EIO,
                    Rule.N_05,
                    "waiting for a call failed: %s; open the port anew",
                    String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        closeQuietly(server);
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

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.socket;

import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of one local address. Datagrams are received at port 4791; they are sent from there or from other ports, of which a
 * pool opens as many as it may and then uses them again. Opened and closed by any thread, otherwise on the lane.
 */
public abstract class UdpSockets {

    private final int headerBytes;
    private final int mostSources;
    private final List<SendingSocket> sources = new ArrayList<>();

    /**
     * No sockets yet.
     *
     * @param mostSources sockets that may send; 1 for the receiving one alone
     */
    UdpSockets(int headerBytes, int mostSources) {
        this.headerBytes = headerBytes;
        this.mostSources = mostSources;
    }

    /** Bytes before each datagram in its buffer, where the headers are written that the ICRC covers. */
    final int headerBytes() {
        return headerBytes;
    }

    /** The socket that sends from a port, or from another one if that port is taken or the pool is full. */
    public final SendingSocket from(int port) {
        for (int i = 0; i < sources.size(); i++) {
            if (sources.get(i).port() == port) {
                return sources.get(i);
            }
        }
        SendingSocket opened = sources.size() < mostSources ? open(port) : null;
        return opened == null ? sources.get(port % sources.size()) : opened;
    }

    private @Nullable SendingSocket open(int port) {
        try {
            SendingSocket opened = bind(port);
            sources.add(opened);
            return opened;
        } catch (IOException e) {
            // Another program has that port. A peer checks addresses, not ports.
            return null;
        }
    }

    /** Whether datagrams leave from several ports. */
    public final boolean isPool() {
        return mostSources > 1;
    }

    /** The receiving socket may send, too. */
    final void addSource(SendingSocket socket) {
        sources.add(socket);
    }

    /** Begins to receive; when the future is done, nothing that arrives is missed. Not on the lane. */
    public abstract Future<?> start();

    /** Opens a socket that sends from that port. */
    abstract SendingSocket bind(int port) throws IOException;

    /** An empty big-endian buffer for the next datagram; null if there is no room until {@link DatagramHandler#hasRoom}. */
    public abstract @Nullable ByteBuffer room();

    /**
     * Sends what was written to the buffer that {@link #room} gave last; it may wait until {@link #flush}.
     *
     * @param offset where the datagram begins
     */
    public abstract void send(SendingSocket from, int offset, int lengthBytes, InetSocketAddress to);

    /** Hands what was sent to the operating system. */
    public abstract void flush();

    /** Closes all sockets. From any thread. */
    public abstract void close();

    /** Whether their ports are free again after {@link #close}; a loop may have to let go of them first. */
    public abstract boolean areFree();
}

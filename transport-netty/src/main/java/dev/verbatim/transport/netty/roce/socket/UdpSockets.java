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

    private static final int ANY_PORT = 0;

    private final int headerBytes;
    private final int mostSources;
    private final List<Source> sources = new ArrayList<>();

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

    /**
     * The socket that sends from a port with this traffic class and hop limit. Sockets are grouped by these: if the port is taken or
     * the pool is full it is another one of the group. If the group has none, one of a larger group changes over to it, which costs
     * system calls, and as long as there are sockets for all values it stays.
     */
    public final SendingSocket from(int port, int trafficClass, int hopLimit) {
        int group = 0;
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get(i);
            if (source.carries(trafficClass, hopLimit)) {
                if (source.port == port) {
                    return source.socket;
                }
                group++;
            }
        }
        Source from = open(port);
        if (from == null) {
            from = group > 0 ? ofGroup(port % group, trafficClass, hopLimit) : ofAnotherGroup(port);
        }
        from.change(trafficClass, hopLimit);
        return from.socket;
    }

    private Source ofGroup(int number, int trafficClass, int hopLimit) {
        int left = number;
        for (Source source : sources) {
            if (source.carries(trafficClass, hopLimit) && left-- == 0) {
                return source;
            }
        }
        throw new IllegalStateException("the group has no socket number=" + number);
    }

    /** One at a port that the system chooses; if the pool is full, one that its group can do without, or else any. */
    private Source ofAnotherGroup(int port) {
        Source opened = open(ANY_PORT);
        if (opened != null) {
            return opened;
        }
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get((port + i) % sources.size());
            long alike = sources.stream()
                    .filter(other -> other.carries(source.trafficClass, source.hopLimit))
                    .count();
            if (alike > 1) {
                return source;
            }
        }
        return sources.get(port % sources.size());
    }

    private @Nullable Source open(int port) {
        if (sources.size() == mostSources) {
            return null;
        }
        try {
            Source opened = new Source(bind(port));
            sources.add(opened);
            return opened;
        } catch (IOException e) {
            // Another program has that port, or a socket of another group. A peer checks addresses, not ports.
            return null;
        }
    }

    /** Whether datagrams leave from several ports. */
    public final boolean isPool() {
        return mostSources > 1;
    }

    /** The receiving socket may send, too. */
    final void addSource(SendingSocket socket) {
        sources.add(new Source(socket));
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

    /** Whether any thread on the lane may send; if not, only that of the loop may. */
    public abstract boolean areDirect();

    /** Closes all sockets. From any thread. */
    public abstract void close();

    /** Whether their ports are free again after {@link #close}; a loop may have to let go of them first. */
    public abstract boolean areFree();

    /** A socket, and what it writes into IP headers. */
    private static final class Source {

        private final SendingSocket socket;
        private final int port;
        private int trafficClass;
        private int hopLimit = SendingSocket.USUAL_HOP_LIMIT;

        Source(SendingSocket socket) {
            this.socket = socket;
            this.port = socket.port();
        }

        boolean carries(int wantedTrafficClass, int wantedHopLimit) {
            return trafficClass == wantedTrafficClass && hopLimit == wantedHopLimit;
        }

        void change(int newTrafficClass, int newHopLimit) {
            if (!carries(newTrafficClass, newHopLimit)) {
                trafficClass = newTrafficClass;
                hopLimit = newHopLimit;
                socket.path(newTrafficClass, newHopLimit);
            }
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * One end of a connection that stands, with its queue pair in RTS: the short form of this package, for programs that wait for each
 * step ({@code rdma_create_ep}).
 *
 * {@snippet :
 * try (ListeningEndpoint listener = Endpoint.listen(device, address, 0)) {
 *     Endpoint end = listener.getRequest(patience).accept(pd, QpInitAttributes.rc(cq), ConnectionParameters.USUAL, patience);
 *     // post, poll ... on end.qp()
 * }
 * }
 */
public final class Endpoint implements AutoCloseable {

    private final Steps steps;
    private final CmId id;
    private final byte[] privateData;
    private boolean over;
    private boolean closed;

    Endpoint(Steps steps, byte[] privateData) {
        this.steps = steps;
        this.id = steps.id();
        this.privateData = privateData;
    }

    /**
     * Connects to whoever listens at an address.
     *
     * @param destination a GID and a port, or a socket's address where devices are reached over sockets
     * @param patience how long it may take, in all
     * @throws ConnectionException ECONNREFUSED if nobody listens, or the peer refused: the exception has the
     *     reason and what the peer said with it; EHOSTUNREACH, ETIMEDOUT, EACCES. Nothing is left behind then
     */
    public static Endpoint connect(
            Device device,
            InetSocketAddress destination,
            ProtectionDomain pd,
            QpInitAttributes attributes,
            ConnectionParameters parameters,
            Duration patience) {
        EventChannel channel = EventChannel.open(device);
        Steps steps = new Steps(channel, channel.createId());
        try {
            long deadlineNanos = steps.deadlineNanos(patience);
            CmId id = steps.id();
            id.resolveAddress(destination, steps.left(deadlineNanos));
            steps.await(CmEventType.ADDR_RESOLVED, deadlineNanos);
            id.createQp(pd, attributes);
            id.resolveRoute(steps.left(deadlineNanos));
            steps.await(CmEventType.ROUTE_RESOLVED, deadlineNanos);
            id.connect(parameters);
            CmEvent established = steps.await(CmEventType.ESTABLISHED, deadlineNanos);
            return new Endpoint(steps, established.privateData());
        } catch (RuntimeException e) {
            steps.close();
            throw e;
        }
    }

    /**
     * Takes connections at an address.
     *
     * @param address as {@link CmId#bindAddress} takes it
     * @param backlog as {@link CmId#listen} takes it; 0 for the most
     */
    public static ListeningEndpoint listen(Device device, InetSocketAddress address, int backlog) {
        EventChannel channel = EventChannel.open(device);
        Steps steps = new Steps(channel, channel.createId());
        try {
            steps.id().bindAddress(address);
            steps.id().listen(backlog);
            return new ListeningEndpoint(steps);
        } catch (RuntimeException e) {
            steps.close();
            throw e;
        }
    }

    /** Its identifier. */
    public CmId id() {
        return id;
    }

    /** The queue pair. */
    public QueuePair qp() {
        QueuePair qp = id.qp();
        if (qp == null) {
            throw VerbsException.of(Errno.EINVAL, "CM-06", "%s has no queue pair any more", id);
        }
        return qp;
    }

    /** What the peer said when it asked, or accepted, padded with zeros: 56 or 196 bytes. A copy. */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * Waits until the connection is over.
     *
     * @return whether it is
     */
    public synchronized boolean awaitDisconnected(Duration patience) {
        long deadlineNanos = steps.deadlineNanos(patience);
        while (!over) {
            CmEvent event = steps.next(steps.left(deadlineNanos));
            if (event == null) {
                return false;
            }
            over = event.type() == CmEventType.DISCONNECTED
                    || event.type() == CmEventType.REJECTED
                    || event.type() == CmEventType.DEVICE_REMOVAL;
        }
        return true;
    }

    /**
     * Ends the connection, or answers the peer who ended it, and waits until it is over on this side; the queue pair goes to ERR.
     *
     * @return whether it is over
     */
    public boolean disconnect(Duration patience) {
        id.disconnect();
        return awaitDisconnected(patience);
    }

    /** Ends the connection if it stands, without waiting, and destroys the queue pair. Nothing happens the second time. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            steps.close();
        }
    }
}

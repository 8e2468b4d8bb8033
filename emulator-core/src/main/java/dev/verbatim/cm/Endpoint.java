// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * One end of a connection, with its queue pair ({@code rdma_create_ep}): the short form of this package, for programs that wait for each
 * step.
 *
 * <pre>{@code
 * try (ListeningEndpoint listener = Endpoint.listen(device, address, 0)) {
 *     Endpoint end = listener.getRequest(patience).accept(pd, QpInitAttributes.rc(cq), ConnectionParameters.USUAL, patience);
 *     // post, poll ... on end.qp()
 * }
 * }</pre>
 *
 * <p>A peer can send as soon as it is connected. To have receives posted by then take two steps: the active side {@link #create creates}
 * its end, posts receives, and {@link #connect(ConnectionParameters, Duration) connects}; the passive side
 * {@link ConnectionRequest#createQp creates the queue pair}, posts receives, and
 * {@link ConnectionRequest#accept(ConnectionParameters, Duration) accepts}.
 */
public final class Endpoint implements AutoCloseable {

    private final SynchronousId synchronous;
    private final CmId id;
    private volatile byte[] privateData;
    private volatile boolean connected;
    private volatile boolean over;

    private Endpoint(SynchronousId synchronous) {
        this.synchronous = synchronous;
        this.id = synchronous.id();
        this.privateData = new byte[0];
    }

    /** An established one. */
    Endpoint(SynchronousId synchronous, byte[] privateData) {
        this(synchronous);
        this.privateData = privateData;
        this.connected = true;
    }

    /**
     * Connects to the listener at an address: {@link #create}, and {@link #connect(ConnectionParameters, Duration)}.
     *
     * @param destination a GID and a port, or a socket's address where devices are reached over sockets
     * @param patience how long it may take, in all
     * @throws ConnectionException as those. Queue pair and identifier are destroyed then
     */
    public static Endpoint connect(
            Device device,
            InetSocketAddress destination,
            ProtectionDomain pd,
            QpInitAttributes attributes,
            ConnectionParameters parameters,
            Duration patience) {
        VerbsException.requireNonNull(parameters, "parameters");
        SynchronousId synchronous = SynchronousId.on(device);
        try {
            long deadlineNanos = synchronous.deadlineNanos(patience);
            Endpoint end = resolved(synchronous, destination, pd, attributes, deadlineNanos);
            end.connect(parameters, deadlineNanos);
            return end;
        } catch (RuntimeException e) {
            synchronous.close();
            throw e;
        }
    }

    /**
     * Resolves the peer's address and creates the queue pair, in INIT, so that receives can be posted. The connection is requested by
     * {@link #connect(ConnectionParameters, Duration)}.
     *
     * @param destination a GID and a port, or a socket's address where devices are reached over sockets
     * @param patience how long the resolution may take
     * @throws ConnectionException EHOSTUNREACH, ECONNREFUSED if no device listens at that socket, ETIMEDOUT, EACCES. The identifier is
     *     closed then
     */
    public static Endpoint create(
            Device device,
            InetSocketAddress destination,
            ProtectionDomain pd,
            QpInitAttributes attributes,
            Duration patience) {
        SynchronousId synchronous = SynchronousId.on(device);
        try {
            return resolved(synchronous, destination, pd, attributes, synchronous.deadlineNanos(patience));
        } catch (RuntimeException e) {
            synchronous.close();
            throw e;
        }
    }

    private static Endpoint resolved(
            SynchronousId synchronous,
            InetSocketAddress destination,
            ProtectionDomain pd,
            QpInitAttributes attributes,
            long deadlineNanos) {
        CmId id = synchronous.id();
        id.resolveAddress(destination, synchronous.left(deadlineNanos));
        synchronous.await(CmEventType.ADDR_RESOLVED, deadlineNanos);
        id.createQp(pd, attributes);
        id.resolveRoute(synchronous.left(deadlineNanos));
        synchronous.await(CmEventType.ROUTE_RESOLVED, deadlineNanos);
        return new Endpoint(synchronous);
    }

    /**
     * Connects one that was {@linkplain #create created} ({@code rdma_connect}), and waits until the connection is established and the
     * queue pair in RTS. If that fails the endpoint can only be closed.
     *
     * @param patience how long it may take
     * @throws ConnectionException ECONNREFUSED if no application listens, or the peer rejected the request: the exception has the reason
     *     and the peer's private data; ETIMEDOUT
     * @throws VerbsException EINVAL if it was connected before (CM-27), if private data are too long (CM-20) or a depth is more than the
     *     device can (CM-19)
     */
    public void connect(ConnectionParameters parameters, Duration patience) {
        VerbsException.requireNonNull(parameters, "parameters");
        connect(parameters, synchronous.deadlineNanos(patience));
    }

    private void connect(ConnectionParameters parameters, long deadlineNanos) {
        id.connect(parameters);
        privateData = synchronous.await(CmEventType.ESTABLISHED, deadlineNanos).privateData();
        connected = true;
    }

    /**
     * Listens for connections at an address.
     *
     * @param address as {@link CmId#bindAddress} takes it
     * @param backlog as {@link CmId#listen} takes it; 0 for the most
     */
    public static ListeningEndpoint listen(Device device, InetSocketAddress address, int backlog) {
        SynchronousId synchronous = SynchronousId.on(device);
        try {
            synchronous.id().bindAddress(address);
            synchronous.id().listen(backlog);
            return new ListeningEndpoint(synchronous);
        } catch (RuntimeException e) {
            synchronous.close();
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
            throw VerbsException.of(Errno.EINVAL, Rule.CM_06, "%s has no queue pair any more", id);
        }
        return qp;
    }

    /**
     * Private data with which the peer connected (56 bytes) or accepted (196 bytes), padded with zeros; empty before it is connected. A
     * copy.
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * Waits until the connection has ended, or the device was closed.
     *
     * @throws VerbsException ETIMEDOUT if it was not within {@code patience}, EINTR if the thread was interrupted, EINVAL if this was
     *     closed, or if there was no connection yet (CM-27)
     */
    public void awaitDisconnected(Duration patience) {
        if (!connected) {
            throw VerbsException.of(Errno.EINVAL, Rule.CM_27, "%s is not connected; connect it first", id);
        }
        long deadlineNanos = synchronous.deadlineNanos(patience);
        while (!over) {
            over = SynchronousId.isLast(nextBefore(deadlineNanos, patience));
        }
    }

    private CmEvent nextBefore(long deadlineNanos, Duration patience) {
        try {
            return synchronous.next(synchronous.left(deadlineNanos));
        } catch (VerbsException e) {
            if (e.errno() != Errno.ETIMEDOUT) {
                throw e;
            }
            throw VerbsException.of(
                    Errno.ETIMEDOUT,
                    Rule.CM_06,
                    "%s did not end within %s: neither side has disconnected it, or the peer does not answer",
                    id,
                    patience);
        }
    }

    /**
     * Ends the connection and waits until it has ended on this side; the queue pair goes to ERR. The peer's endpoint confirms it without
     * a call of its program, and its queue pair goes to ERR, too. Both sides may call this, in any order or at once, and several threads
     * of a side.
     *
     * @throws VerbsException as {@link #awaitDisconnected}; ENOENT if this was closed before
     */
    public void disconnect(Duration patience) {
        id.disconnect();
        awaitDisconnected(patience);
    }

    /**
     * Ends the connection if it is established, without waiting, and destroys the queue pair.
     *
     * @throws VerbsException ENOENT if it was closed before
     */
    @Override
    public void close() {
        synchronous.closeOnce();
    }

    @Override
    public String toString() {
        return "endpoint of " + id;
    }
}

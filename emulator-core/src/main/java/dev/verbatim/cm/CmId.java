// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection, or a listener ({@code struct rdma_cm_id}). What its calls set going, events of its channel report.
 * Any thread may call.
 *
 * <p>Unless it says otherwise, a call fails with EINVAL in a state in which it makes no sense (CM-27), with ENODEV after
 * {@link CmEventType#DEVICE_REMOVAL} (CM-26), and with ENOENT once the identifier was closed. A call that failed has changed
 * nothing.
 */
public final class CmId implements AutoCloseable {

    /** {@link #listen(int)} with the backlog that is also the most. */
    public static final int MOST_BACKLOG = 1024;

    private final Identifier identifier;
    private final PortSpace portSpace;

    CmId(Identifier identifier, PortSpace portSpace) {
        this.identifier = identifier;
        this.portSpace = portSpace;
    }

    Identifier identifier() {
        return identifier;
    }

    private void act(Runnable work) {
        identifier.act(work);
    }

    private <T> T ask(Supplier<T> work) {
        return identifier.ask(work);
    }

    /** Name space of its port. */
    public PortSpace portSpace() {
        return portSpace;
    }

    /** The application's own object; null if it gave none. */
    public @Nullable Object context() {
        return identifier.context();
    }

    /** Sets {@link #context()}, which an identifier that a request brought has from its listener. */
    public void context(@Nullable Object own) {
        identifier.context(own);
    }

    /** Where its events go. */
    public EventChannel channel() {
        return identifier.channel();
    }

    /** The device that it belongs to. */
    public Device device() {
        return identifier.channel().device();
    }

    /** The queue pair that it made; null if there is none. */
    public @Nullable QueuePair qp() {
        return identifier.qp();
    }

    /**
     * Its own address: the device's GID, or the wildcard for a listener at all of them, and its port; null before it has one
     * ({@code rdma_get_local_addr}).
     */
    public @Nullable InetSocketAddress localAddress() {
        return ask(identifier::localAddress);
    }

    /** The peer's GID and port; null before it has a peer ({@code rdma_get_peer_addr}). */
    public @Nullable InetSocketAddress peerAddress() {
        return ask(identifier::peerAddress);
    }

    /**
     * Gives it an address ({@code rdma_bind_addr}). Where devices are reached over sockets, a socket's address lets peers find the
     * device there, too, and the port is the same.
     *
     * @param address the wildcard, the device's GID, or an address of this machine where devices are reached over sockets; port 0
     *     for any that is free
     * @throws dev.verbatim.verbs.VerbsException EADDRINUSE if the port is taken, EADDRNOTAVAIL if the address is not the device's
     *     (CM-28)
     */
    public void bindAddress(InetSocketAddress address) {
        identifier.bindAddress(address);
    }

    /** {@link #resolveAddress(InetSocketAddress, InetSocketAddress, Duration)} from any free port. */
    public void resolveAddress(InetSocketAddress destination, Duration timeout) {
        act(() -> identifier.resolveAddress(null, destination, timeout, null));
    }

    /**
     * Finds the peer ({@code rdma_resolve_addr}): ADDR_RESOLVED, or ADDR_ERROR with EHOSTUNREACH, ECONNREFUSED (nobody is at that
     * socket), ETIMEDOUT or EACCES, after which it may be tried again.
     *
     * @param source as {@link #bindAddress} takes it; null for any
     * @param destination a GID and a port, or a socket's address where devices are reached over sockets
     * @param timeout how long it may take; above 0
     */
    public void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout) {
        act(() -> identifier.resolveAddress(source, destination, timeout, null));
    }

    /** Finds the way to the peer ({@code rdma_resolve_route}): ROUTE_RESOLVED. */
    public void resolveRoute(Duration timeout) {
        act(() -> identifier.resolveRoute(timeout));
    }

    /**
     * Makes the queue pair of the connection, in INIT (UD: in RTS) ({@code rdma_create_qp}).
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL if there is one, if its type is not that of the port space, if the domain is
     *     of another device, or before the address is resolved; and as {@link ProtectionDomain#createQp}
     */
    public QueuePair createQp(ProtectionDomain pd, QpInitAttributes attributes) {
        return ask(() -> identifier.createQp(pd, attributes));
    }

    /** Destroys the queue pair; nothing happens if there is none, in whatever state ({@code rdma_destroy_qp}). */
    public void destroyQp() {
        identifier.destroyQp();
    }

    /**
     * Takes connections from now on ({@code rdma_listen}).
     *
     * @param backlog how many CONNECT_REQUEST events may wait to be fetched; 0 and what is above {@value #MOST_BACKLOG} for that
     *     many (CM-17)
     */
    public void listen(int backlog) {
        act(() -> identifier.listen(backlog, false));
    }

    /** The same, but who finds no room is refused with NO_RESOURCES, and not left to ask again. */
    public void listenOrRefuse(int backlog) {
        act(() -> identifier.listen(backlog, true));
    }

    /**
     * Asks for the connection ({@code rdma_connect}): ESTABLISHED, CONNECT_RESPONSE, CONNECT_ERROR, REJECTED or UNREACHABLE. After
     * the last two nothing more comes of this identifier: make another.
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL also if private data are too long (CM-20) or a depth is more than the
     *     device can (CM-19)
     */
    public void connect(ConnectionParameters parameters) {
        act(() -> identifier.connect(parameters));
    }

    /**
     * {@link #resolveAddress}, {@link #resolveRoute} and {@link #connect} without a stop: of the first two only ADDR_ERROR is an event.
     * For identifiers without a queue pair, and programs that do not fetch events in between. What {@link #connect} would throw is
     * CONNECT_ERROR.
     */
    public void resolveAndConnect(InetSocketAddress destination, Duration timeout, ConnectionParameters parameters) {
        act(() -> identifier.resolveAddress(null, destination, timeout, parameters));
    }

    /**
     * Accepts the request that brought this identifier ({@code rdma_accept}): the queue pair goes to RTS, and ESTABLISHED, REJECTED,
     * DISCONNECTED or UNREACHABLE follows.
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL also if private data are too long (CM-20) or a depth is more than the
     *     device can (CM-19), ECONNABORTED if the peer gave up meanwhile (CM-08)
     */
    public void accept(ConnectionParameters parameters) {
        act(() -> identifier.exchange().accept(parameters));
    }

    /**
     * Refuses the request that brought this identifier ({@code rdma_reject}); the peer gets REJECTED, CONSUMER_DEFINED. After it
     * close the identifier.
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL also if private data are too long (CM-20), ECONNABORTED if the peer gave up
     *     meanwhile
     */
    public void reject(byte... privateData) {
        byte[] copy = privateData.clone();
        act(() -> identifier.exchange().reject(copy));
    }

    /** After CONNECT_RESPONSE: the queue pair is ready, tell the peer ({@code rdma_establish}). No event follows. */
    public void establish() {
        act(identifier.exchange()::establish);
    }

    /**
     * Something arrived on the queue pair whose connection is not established yet; so it is ({@code rdma_notify} with COMM_EST).
     *
     * @throws dev.verbatim.verbs.VerbsException EISCONN if it is established
     */
    public void notifyEstablished() {
        act(identifier.exchange()::notifyEstablished);
    }

    /**
     * Ends the connection, or answers the peer who ended it; the queue pair goes to ERR ({@code rdma_disconnect}). DISCONNECTED
     * follows for whoever calls first. Once the connection is over nothing happens.
     */
    public void disconnect() {
        act(identifier.exchange()::disconnect);
    }

    /**
     * Sends events to another channel from now on, also those that were not fetched yet ({@code rdma_migrate_id}).
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL if the channel is of another device or closed
     */
    public void migrate(EventChannel to) {
        act(() -> identifier.migrate(to));
    }

    /**
     * Packet life time of the path is the code less one ({@code RDMA_OPTION_ID_ACK_TIMEOUT}); before {@link #connect}.
     *
     * @param code 1 to 31
     */
    public void ackTimeout(int code) {
        act(() -> identifier.ackTimeout(code));
    }

    /**
     * Traffic class of the connection ({@code RDMA_OPTION_ID_TOS}); before {@link #connect}.
     *
     * @param trafficClass 0 to 255
     */
    public void typeOfService(int trafficClass) {
        act(() -> identifier.typeOfService(trafficClass));
    }

    /** For queue pairs that the application sets up itself: the attributes for this state ({@code rdma_init_qp_attr}). */
    public QpAttributes initQpAttributes(QpState state) {
        return ask(() -> identifier.initQpAttributes(state));
    }

    /**
     * Gives it up in whatever state it is ({@code rdma_destroy_id}): what it asked for is withdrawn, what it was asked is refused, a
     * connection that stands is ended. Its unfetched events are dropped. A queue pair that is still there stays as it is, and is its
     * owner's to close.
     *
     * @throws dev.verbatim.verbs.VerbsException EBUSY while events of it were fetched and are not acknowledged (CM-29)
     */
    @Override
    public void close() {
        identifier.close();
    }

    @Override
    public String toString() {
        return identifier.toString();
    }
}

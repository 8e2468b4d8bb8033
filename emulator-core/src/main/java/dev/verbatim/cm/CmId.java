// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection, or a listener ({@code struct rdma_cm_id}). Calls start an operation; events of the channel report how it
 * ended. Any thread may call.
 *
 * <p>Unless stated otherwise, a call fails with EINVAL if it is not legal in the state of the identifier (CM-27), with ENODEV after
 * {@link CmEventType#DEVICE_REMOVAL} (CM-26), and with ENOENT after the identifier was closed. A call that fails changes nothing.
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

    /** The name space of its port. */
    public PortSpace portSpace() {
        return portSpace;
    }

    /** The application's context object; null if there is none. */
    public @Nullable Object context() {
        return identifier.context();
    }

    /** Sets {@link #context()}. A new identifier of a CONNECT_REQUEST has the context of its listener. */
    public void context(@Nullable Object own) {
        identifier.context(own);
    }

    /** The channel of its events. */
    public EventChannel channel() {
        return identifier.channel();
    }

    /** The device that it belongs to. */
    public Device device() {
        return identifier.channel().device();
    }

    /** The port that it belongs to, from 1. */
    public int portNumber() {
        return identifier.channel().portNumber();
    }

    /** The queue pair that {@link #createQp} created; null if there is none. */
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
     * Binds it to an address ({@code rdma_bind_addr}). Where devices are reached over sockets, this takes a socket's address, too, at which
     * peers find the device from {@link #listen(int)} on, and the port is the same.
     *
     * @param address the wildcard, the device's GID, or an address of this machine where devices are reached over sockets; port 0 for any
     *     that is free
     * @throws dev.verbatim.verbs.VerbsException EADDRINUSE if the port is taken, EADDRNOTAVAIL if the address is not the device's (CM-28)
     */
    public void bindAddress(InetSocketAddress address) {
        VerbsException.requireNonNull(address, "address");
        identifier.bindAddress(address);
    }

    /** {@link #resolveAddress(InetSocketAddress, InetSocketAddress, Duration)} from any free port. */
    public void resolveAddress(InetSocketAddress destination, Duration timeout) {
        resolveAddress(null, destination, timeout);
    }

    /**
     * Resolves the peer's address ({@code rdma_resolve_addr}). Event ADDR_RESOLVED; or ADDR_ERROR with EHOSTUNREACH, ECONNREFUSED (no
     * device listens at that socket), ETIMEDOUT or EACCES, after which the call may be repeated.
     *
     * @param source as {@link #bindAddress} takes it; null for any
     * @param destination a GID and a port, or a socket's address where devices are reached over sockets
     * @param timeout how long it may take; above 0
     */
    public void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout) {
        VerbsException.requireNonNull(destination, "destination");
        VerbsException.requireNonNull(timeout, "timeout");
        act(() -> identifier.resolveAddress(source, destination, timeout, null));
    }

    /** Resolves the route to the peer ({@code rdma_resolve_route}). Event ROUTE_RESOLVED. */
    public void resolveRoute(Duration timeout) {
        VerbsException.requireNonNull(timeout, "timeout");
        act(() -> identifier.resolveRoute(timeout));
    }

    /**
     * Creates the queue pair of the connection, in INIT (UD: in RTS) ({@code rdma_create_qp}).
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL if there is a queue pair already, if its type is not that of the port space, if
     *     the domain is of another device, or before the address is resolved; and as {@link ProtectionDomain#createQp}
     */
    public QueuePair createQp(ProtectionDomain pd, QpInitAttributes attributes) {
        VerbsException.requireNonNull(pd, "pd");
        VerbsException.requireNonNull(attributes, "attributes");
        return identifier.createQp(pd, attributes);
    }

    /** Destroys the queue pair, in any state of the identifier; does nothing if there is none ({@code rdma_destroy_qp}). */
    public void destroyQp() {
        identifier.destroyQp();
    }

    /**
     * Starts to listen for connection requests ({@code rdma_listen}).
     *
     * @param backlog how many CONNECT_REQUEST events may wait to be fetched, 1 to {@value #MOST_BACKLOG}; any other number means
     *     {@value #MOST_BACKLOG} (CM-17)
     */
    public void listen(int backlog) {
        act(() -> identifier.listen(backlog, false));
    }

    /**
     * The same, but a request that finds the backlog full is refused with NO_RESOURCES; with {@link #listen} it is dropped and the peer
     * repeats it.
     */
    public void listenOrRefuse(int backlog) {
        act(() -> identifier.listen(backlog, true));
    }

    /**
     * Requests the connection ({@code rdma_connect}). Event ESTABLISHED, CONNECT_RESPONSE, CONNECT_ERROR, REJECTED or UNREACHABLE. After
     * REJECTED and UNREACHABLE the identifier cannot be used any more; create another one.
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL also if private data are too long (CM-20) or a depth is more than the device can
     *     (CM-19)
     */
    public void connect(ConnectionParameters parameters) {
        VerbsException.requireNonNull(parameters, "parameters");
        act(() -> identifier.connect(parameters));
    }

    /**
     * {@link #resolveAddress}, {@link #resolveRoute} and {@link #connect} in one call: of the first two only ADDR_ERROR is reported. For
     * identifiers without a queue pair, and programs that do not fetch events in between. If {@link #connect} would throw, the event is
     * CONNECT_ERROR.
     */
    public void resolveAndConnect(InetSocketAddress destination, Duration timeout, ConnectionParameters parameters) {
        VerbsException.requireNonNull(destination, "destination");
        VerbsException.requireNonNull(timeout, "timeout");
        VerbsException.requireNonNull(parameters, "parameters");
        act(() -> identifier.resolveAddress(null, destination, timeout, parameters));
    }

    /**
     * Accepts the request of this identifier's CONNECT_REQUEST ({@code rdma_accept}). The queue pair goes to RTS. Event ESTABLISHED,
     * REJECTED, DISCONNECTED or UNREACHABLE.
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL also if private data are too long (CM-20) or a depth is more than the device can
     *     (CM-19), ECONNABORTED if the peer has withdrawn the request (CM-08)
     */
    public void accept(ConnectionParameters parameters) {
        VerbsException.requireNonNull(parameters, "parameters");
        act(() -> identifier.exchange().accept(parameters));
    }

    /**
     * Rejects the request of this identifier's CONNECT_REQUEST ({@code rdma_reject}); the peer gets REJECTED with CONSUMER_DEFINED. Close
     * the identifier afterwards.
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL also if private data are too long (CM-20), ECONNABORTED if the peer has withdrawn
     *     the request
     */
    public void reject(byte... privateData) {
        byte[] copy = VerbsException.requireNonNull(privateData, "privateData").clone();
        act(() -> identifier.exchange().reject(copy, RejectReason.CONSUMER_DEFINED));
    }

    /**
     * The same, because the options that the peer offered are not supported ({@code rdma_reject_ece}): the peer gets
     * VENDOR_OPTION_NOT_SUPPORTED.
     */
    public void rejectOptions(byte... privateData) {
        byte[] copy = VerbsException.requireNonNull(privateData, "privateData").clone();
        act(() -> identifier.exchange().reject(copy, RejectReason.VENDOR_OPTION_NOT_SUPPORTED));
    }

    /**
     * Confirms the connection to the peer, after CONNECT_RESPONSE and when the queue pair is ready ({@code rdma_establish}). No event
     * follows.
     */
    public void establish() {
        act(identifier.exchange()::establish);
    }

    /**
     * Tells connection management that data has arrived on the queue pair before ESTABLISHED, so the connection is established
     * ({@code rdma_notify} with COMM_EST).
     *
     * @throws dev.verbatim.verbs.VerbsException EISCONN if it is established already
     */
    public void notifyEstablished() {
        act(identifier.exchange()::notifyEstablished);
    }

    /**
     * Ends the connection, or confirms that the peer has ended it; the queue pair goes to ERR ({@code rdma_disconnect}). The side that
     * calls first gets the event DISCONNECTED. Does nothing else if the connection is over, or a request is not answered yet: close the
     * identifier to give that up.
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL before a connection was requested (CM-27)
     */
    public void disconnect() {
        act(identifier.exchange()::disconnect);
    }

    /**
     * Moves the identifier, with its events that were not fetched yet, to another channel ({@code rdma_migrate_id}).
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL if the channel is of another device or closed
     */
    public void migrate(EventChannel to) {
        VerbsException.requireNonNull(to, "to");
        act(() -> identifier.migrate(to));
    }

    /**
     * Sets the ACK timeout of its queue pair ({@code RDMA_OPTION_ID_ACK_TIMEOUT}), at any time. If it is set before {@link #resolveRoute},
     * the packet life time of the path, of which the peer computes its own, is the code less one.
     *
     * @param code 0 to 31; with a larger one, up to 255, {@link #accept} or the connection fails
     * @throws dev.verbatim.verbs.VerbsException EINVAL also in port space UDP (CM-12)
     */
    public void ackTimeout(int code) {
        act(() -> identifier.ackTimeout(code));
    }

    /**
     * Sets the traffic class of the connection ({@code RDMA_OPTION_ID_TOS}), at any time; after {@link #resolveRoute} without effect.
     *
     * @param trafficClass 0 to 255
     */
    public void typeOfService(int trafficClass) {
        act(() -> identifier.typeOfService(trafficClass));
    }

    /**
     * Lets it share its port with others that also may ({@code RDMA_OPTION_ID_REUSEADDR}); one that others share cannot listen. Only
     * {@code true} once it has an address, and nothing once it listens.
     */
    public void reuseAddress(boolean value) {
        act(() -> identifier.reuseAddress(value));
    }

    /**
     * Whether its address stands for its own family alone ({@code RDMA_OPTION_ID_AFONLY}), so that one of IPv4 and one of IPv6 have the same
     * port; unless it is set, that is so of IPv4. Before it resolves an address or listens.
     */
    public void oneFamily(boolean value) {
        act(() -> identifier.oneFamily(value));
    }

    /** The queue pair attributes for a state, for applications that set up the queue pair themselves ({@code rdma_init_qp_attr}). */
    public QpAttributes initQpAttributes(QpState state) {
        VerbsException.requireNonNull(state, "state");
        return ask(() -> identifier.initQpAttributes(state));
    }

    /**
     * Closes the identifier, in any state ({@code rdma_destroy_id}). A request that it made is withdrawn, one that it got is rejected, an
     * established connection is ended. Its events that were not fetched are dropped. Its queue pair is not changed, and the application
     * has to close it.
     *
     * @throws dev.verbatim.verbs.VerbsException EBUSY while events of it were fetched and are not acknowledged (CM-29)
     */
    @Override
    public void close() {
        identifier.close();
    }

    /**
     * {@link #close()}, which first waits until all events of it that were fetched are acknowledged, as {@code rdma_destroy_id} does.
     *
     * @throws dev.verbatim.verbs.VerbsException ETIMEDOUT if they were not within {@code patience} (CM-29), EINTR if the thread was
     *     interrupted, EDEADLK if the thread is one that the device runs on, or time is simulated and nothing can happen that
     *     acknowledges them; it is not closed then. ENOENT if it was closed before
     */
    public void close(Duration patience) {
        identifier.close(patience);
    }

    @Override
    public String toString() {
        return identifier.toString();
    }
}

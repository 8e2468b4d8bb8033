// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.networkdirect.NdProfile.Statuses;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes one connection ({@code IND2Connector}). It sets up the queue pair itself: the active side takes it to RTS in CompleteConnect, the
 * passive side before it accepts.
 *
 * <p>Events of the peer are processed by any thread that waits for a request of the adapter or takes results.
 */
public final class NdConnector extends NdOverlappedObject {

    private final ConnectionDispatcher dispatcher;
    private final NdConnection connection;

    NdConnector(NdContext context, NdOverlappedFile file, ConnectionDispatcher dispatcher) {
        super(context, file);
        this.dispatcher = dispatcher;
        this.connection = new NdConnection(this, dispatcher);
    }

    @Override
    Dispatcher dispatcher() {
        return dispatcher;
    }

    private Statuses statuses() {
        return context().profile().statuses();
    }

    /** Dispatches events; SUCCESS if the connector can be used at all. */
    private NdStatus usable() {
        dispatcher.dispatch();
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        return connection.isRemoved() || context().isRemoved() ? NdStatus.DEVICE_REMOVED : NdStatus.SUCCESS;
    }

    /** Dispatches events, and makes the call if the connector can be used at all. */
    private NdStatus ifUsable(Supplier<NdStatus> call) {
        return calls().run(() -> {
            NdStatus unfit = usable();
            return unfit.isSuccess() ? call.get() : unfit;
        });
    }

    // ---- addresses

    /**
     * Binds it to a local address.
     *
     * @param address the adapter's address or the wildcard; port 0 for a free port from 49152 to 65535
     * @return SUCCESS, SHARING_VIOLATION if the port is in use, ADDRESS_ALREADY_ASSOCIATED if this is bound already, INVALID_ADDRESS if
     *     the address is not the adapter's, TOO_MANY_ADDRESSES if no port is free, DEVICE_REMOVED
     */
    public NdStatus bind(InetSocketAddress address) {
        return ifUsable(() -> connection.bind(address));
    }

    /** Its local address; the array is not changed if it is too short. SUCCESS, BUFFER_OVERFLOW, CONNECTION_INVALID. */
    public NdStatus getLocalAddress(InetSocketAddress @Nullable [] address, NdSize count) {
        return addresses(connection::localAddress, address, count);
    }

    /** The peer's address. SUCCESS, BUFFER_OVERFLOW, CONNECTION_INVALID. */
    public NdStatus getPeerAddress(InetSocketAddress @Nullable [] address, NdSize count) {
        return addresses(connection::peerAddress, address, count);
    }

    private NdStatus addresses(
            Supplier<@Nullable InetSocketAddress> query, InetSocketAddress @Nullable [] address, NdSize count) {
        InetSocketAddress known = calls().runNullable(() -> isReleased() ? null : query.get());
        return known == null ? connection.connectionInvalid() : count.copy(new InetSocketAddress[] {known}, address);
    }

    // ---- the side that asks

    /**
     * Requests a connection from a listener. Completes when the peer has accepted.
     *
     * <p>A call that does not return PENDING changes nothing. After a delivered failure the connector cannot be used any more, and the
     * queue pair has not changed; but after IO_TIMEOUT the call can be repeated, with {@link Statuses#DOCUMENTED} also after
     * CONNECTION_REFUSED, HOST_UNREACHABLE and NETWORK_UNREACHABLE.
     *
     * @param inboundReadLimit Reads that this side serves at a time; reduced to the adapter's limit
     * @param outboundReadLimit Reads that this side may have outstanding; 0 forbids Reads
     * @param privateData for the peer's program, up to {@link NdAdapterInfo#maxCallerData()} bytes; null for none
     * @return PENDING; INVALID_PARAMETER_1, INVALID_BUFFER_SIZE, CONNECTION_ACTIVE, BAD_NETWORK_NAME (with DOCUMENTED
     *     NETWORK_UNREACHABLE), INVALID_ADDRESS, INVALID_DEVICE_STATE if it has no local address. Delivered: SUCCESS, CONNECTION_REFUSED,
     *     IO_TIMEOUT, HOST_UNREACHABLE, NETWORK_UNREACHABLE, CANCELED, DEVICE_REMOVED
     */
    public NdStatus connect(
            @Nullable NdQueuePair queuePair,
            InetSocketAddress destination,
            int inboundReadLimit,
            int outboundReadLimit,
            byte @Nullable [] privateData,
            NdOverlapped overlapped) {
        return ifUsable(() -> {
            NdStatus unfit = NdStatuses.first(
                    checkQueuePair(queuePair),
                    checkDestination(destination),
                    checkPrivateData(privateData, NdAdapterInfo.MAX_CALLER_DATA));
            if (!unfit.isSuccess() || queuePair == null) {
                return unfit;
            }
            ReadLimits asked = ReadLimits.asked(
                    inboundReadLimit, outboundReadLimit, context().mostReads());
            NdStatus status =
                    connection.connect(queuePair, destination, asked, PrivateData.of(privateData), overlapped);
            dispatcher.dispatch();
            return status;
        });
    }

    private NdStatus checkQueuePair(@Nullable NdQueuePair candidate) {
        return candidate == null || candidate.isReleased() || isForeign(candidate)
                ? NdStatus.INVALID_PARAMETER_1
                : NdStatus.SUCCESS;
    }

    @SuppressWarnings("ReferenceEquality") // the same instance
    private boolean isForeign(NdQueuePair candidate) {
        return candidate.context() != context();
    }

    private NdStatus checkDestination(InetSocketAddress destination) {
        if (destination.getAddress() == null) {
            return NdStatus.INVALID_ADDRESS;
        }
        if (destination.getAddress().isAnyLocalAddress()) {
            return statuses() == Statuses.REFERENCE ? NdStatus.BAD_NETWORK_NAME : NdStatus.NETWORK_UNREACHABLE;
        }
        return destination.getPort() == 0 ? NdStatus.INVALID_ADDRESS : NdStatus.SUCCESS;
    }

    /**
     * Completes the connection on the active side, after Connect has completed. It returns at once.
     *
     * @return SUCCESS; CONNECTION_INVALID if the peer has not accepted, or the connection has ended; DEVICE_REMOVED
     */
    public NdStatus completeConnect(NdOverlapped overlapped) {
        return ifUsable(() -> connection.completeConnect(overlapped));
    }

    // ---- the side that is asked

    NdConnection connection() {
        return connection;
    }

    /**
     * Accepts the request that {@link NdListener#getConnectionRequest} returned. Completes when the peer has completed the connection;
     * the queue pair can receive before that. A call that does not return PENDING changes nothing, except with CONNECTION_ABORTED. After
     * a delivered failure the queue pair cannot be used any more.
     *
     * @return PENDING; INVALID_PARAMETER_1, INVALID_BUFFER_SIZE, CONNECTION_ACTIVE, CONNECTION_INVALID if it has no request,
     *     CONNECTION_ABORTED if the peer has withdrawn its request. Delivered: SUCCESS, CONNECTION_REFUSED (with DOCUMENTED
     *     CONNECTION_ABORTED) if the peer rejected it, CONNECTION_ABORTED if the peer has disconnected already, IO_TIMEOUT, CANCELED,
     *     DEVICE_REMOVED
     */
    public NdStatus accept(
            @Nullable NdQueuePair queuePair,
            int inboundReadLimit,
            int outboundReadLimit,
            byte @Nullable [] privateData,
            NdOverlapped overlapped) {
        return ifUsable(() -> {
            NdStatus unfit = NdStatuses.first(
                    checkQueuePair(queuePair), checkPrivateData(privateData, NdAdapterInfo.MAX_CALLEE_DATA));
            if (!unfit.isSuccess() || queuePair == null) {
                return unfit;
            }
            ReadLimits asked = ReadLimits.asked(
                    inboundReadLimit, outboundReadLimit, context().mostReads());
            return connection.accept(queuePair, asked, PrivateData.of(privateData), overlapped);
        });
    }

    private static NdStatus checkPrivateData(byte @Nullable [] privateData, int most) {
        return privateData != null && privateData.length > most
                ? NdStatus.INVALID_BUFFER_SIZE.because("privateData=%d bytes > %d", privateData.length, most)
                : NdStatus.SUCCESS;
    }

    // ---- both

    /**
     * Rejects a connection request, or a connection that the peer has accepted. The peer's Connect or Accept completes with
     * CONNECTION_REFUSED.
     *
     * @param privateData for the peer's program, up to {@link NdAdapterInfo#maxCalleeData()} bytes; null for none
     * @return SUCCESS, INVALID_BUFFER_SIZE, CONNECTION_INVALID if there is nothing to reject, CONNECTION_ABORTED if the peer has
     *     withdrawn its request, DEVICE_REMOVED
     */
    public NdStatus reject(byte @Nullable [] privateData) {
        return ifUsable(() -> {
            NdStatus unfit = checkPrivateData(privateData, NdAdapterInfo.MAX_CALLEE_DATA);
            return unfit.isSuccess() ? connection.reject(PrivateData.of(privateData)) : unfit;
        });
    }

    /**
     * The Read limits of this side: before it accepts or completes the connection what the peer offers, afterwards what was agreed on.
     *
     * @return SUCCESS, CONNECTION_INVALID, INVALID_DEVICE_STATE if they were asked for too late for the profile
     */
    public NdStatus getReadLimits(@Nullable NdSize inboundReadLimit, @Nullable NdSize outboundReadLimit) {
        return ifUsable(() -> connection.readLimits(
                inboundReadLimit == null ? new NdSize() : inboundReadLimit,
                outboundReadLimit == null ? new NdSize() : outboundReadLimit));
    }

    /**
     * The peer's private data: of its Connect, until this side accepts or rejects; of its Accept, until this side completes the
     * connection; of its Reject.
     *
     * @param buffer receives as many bytes as fit; null to query the length
     * @param size set to the length of the data
     * @return SUCCESS, BUFFER_OVERFLOW if it did not fit, CONNECTION_INVALID, CONNECTION_ABORTED if the peer has withdrawn its request
     */
    public NdStatus getPrivateData(byte @Nullable [] buffer, NdSize size) {
        return ifUsable(() -> connection.privateData(buffer, size));
    }

    // ---- the end

    /**
     * Completes when either side ends the connection.
     *
     * @return PENDING; SUCCESS if it has ended, CONNECTION_INVALID if there never was one. Delivered: SUCCESS if a side ended it,
     *     CONNECTION_DISCONNECTED if it broke, CANCELED, DEVICE_REMOVED
     */
    public NdStatus notifyDisconnect(NdOverlapped overlapped) {
        return calls().run(() -> {
            NdStatus unfit = usable();
            NdStatus status = unfit.isSuccess() ? connection.notifyDisconnect(overlapped) : unfit;
            connection.check();
            return status;
        });
    }

    /**
     * Ends the connection, or confirms that the peer has ended it. Then all outstanding requests are cancelled.
     *
     * @return PENDING; SUCCESS if the other side has ended it, CONNECTION_INVALID. Delivered: SUCCESS, IO_TIMEOUT if the other side does
     *     not answer, CANCELED, DEVICE_REMOVED
     */
    public NdStatus disconnect(NdOverlapped overlapped) {
        return calls().run(() -> {
            NdStatus unfit = usable();
            NdStatus status = unfit.isSuccess() ? connection.disconnect(overlapped) : unfit;
            dispatcher.dispatch();
            return status;
        });
    }

    // ---- for the base class

    @Override
    void check() {
        calls().runPart(connection::check);
    }

    @Override
    void cancelled(NdOverlapped overlapped) {
        connection.cancelled(overlapped);
    }

    @Override
    void cancelledAll() {
        connection.cancelledAll();
    }

    @Override
    void end() {
        finishAll(NdStatus.CANCELED);
        connection.released();
    }
}

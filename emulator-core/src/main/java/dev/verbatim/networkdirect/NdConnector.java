// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.networkdirect.NdProfile.Statuses;
import dev.verbatim.networkdirect.connection.ReadLimits;
import dev.verbatim.networkdirect.progress.ConnectionDispatcher;
import dev.verbatim.networkdirect.progress.Dispatcher;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection in the making ({@code IND2Connector}), for one connection. The queue pair is set up here, and not by
 * connection management: the side that asks takes it to RTS with its consent, the other one before it accepts.
 *
 * <p>What the other side does is heard of by whoever waits for anything of the adapter, or looks for results.
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

    /** SUCCESS if the connector can be used at all, having heard what there is to hear. */
    private NdStatus usable() {
        dispatcher.dispatch();
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        return connection.isRemoved() || context().isRemoved() ? NdStatus.DEVICE_REMOVED : NdStatus.SUCCESS;
    }

    // ---- addresses

    /**
     * Gives it a local address.
     *
     * @param address the adapter's, or the wildcard; port 0 for one from 49152 on that is free
     * @return SUCCESS, SHARING_VIOLATION if another has it, ADDRESS_ALREADY_ASSOCIATED if this has one, INVALID_ADDRESS if it is not of
     *     the adapter, TOO_MANY_ADDRESSES if no port is left, DEVICE_REMOVED
     */
    public NdStatus bind(InetSocketAddress address) {
        NdStatus unfit = usable();
        return unfit.isSuccess() ? connection.bind(address) : unfit;
    }

    /** Its own address; the array is untouched if it has no room. SUCCESS, BUFFER_OVERFLOW, CONNECTION_INVALID. */
    public NdStatus getLocalAddress(InetSocketAddress @Nullable [] address, NdSize count) {
        return addresses(isReleased() ? null : connection.localAddress(), address, count);
    }

    /** The other side's address. SUCCESS, BUFFER_OVERFLOW, CONNECTION_INVALID. */
    public NdStatus getPeerAddress(InetSocketAddress @Nullable [] address, NdSize count) {
        return addresses(isReleased() ? null : connection.peerAddress(), address, count);
    }

    private static NdStatus addresses(
            @Nullable InetSocketAddress known, InetSocketAddress @Nullable [] address, NdSize count) {
        return known == null ? NdStatus.CONNECTION_INVALID : count.copy(new InetSocketAddress[] {known}, address);
    }

    // ---- the side that asks

    /**
     * Asks a listener for a connection; completes when it has accepted.
     *
     * <p>A call that fails at once has changed nothing. After a failure that was delivered the connector is of no use any more, and the
     * queue pair is as it was; but after IO_TIMEOUT it can be tried again, and with {@link Statuses#DOCUMENTED} also after
     * CONNECTION_REFUSED, HOST_UNREACHABLE and NETWORK_UNREACHABLE.
     *
     * @param inboundReadLimit Reads that this side will serve at a time; more than the adapter can is less
     * @param outboundReadLimit Reads that this side wants under way; 0 forbids Reads
     * @param privateData for the other side, up to {@link NdAdapterInfo#maxCallerData()} bytes; null for none
     * @return PENDING; INVALID_PARAMETER_1, INVALID_BUFFER_SIZE, CONNECTION_ACTIVE, BAD_NETWORK_NAME (with DOCUMENTED
     *     NETWORK_UNREACHABLE), INVALID_ADDRESS, INVALID_DEVICE_STATE if it has no local address. Delivered: SUCCESS,
     *     CONNECTION_REFUSED, IO_TIMEOUT, HOST_UNREACHABLE, NETWORK_UNREACHABLE, CANCELED, DEVICE_REMOVED
     */
    public NdStatus connect(
            @Nullable NdQueuePair queuePair,
            InetSocketAddress destination,
            int inboundReadLimit,
            int outboundReadLimit,
            byte @Nullable [] privateData,
            NdOverlapped overlapped) {
        NdStatus unfit = NdStatuses.first(
                usable(),
                checkQueuePair(queuePair),
                checkDestination(destination),
                NdPrivateData.check(privateData, NdAdapterInfo.MAX_CALLER_DATA));
        if (!unfit.isSuccess() || queuePair == null) {
            return unfit;
        }
        ReadLimits asked =
                ReadLimits.asked(inboundReadLimit, outboundReadLimit, context().mostReads());
        NdStatus status =
                connection.connect(queuePair, destination, asked, NdPrivateData.bytes(privateData), overlapped);
        dispatcher.dispatch();
        return status;
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
     * The active side's consent: the connection stands. It never takes long.
     *
     * @return SUCCESS, CONNECTION_INVALID if there is nothing to consent to, any more, DEVICE_REMOVED
     */
    public NdStatus completeConnect(NdOverlapped overlapped) {
        NdStatus unfit = usable();
        return unfit.isSuccess() ? connection.completeConnect(overlapped) : unfit;
    }

    // ---- the side that is asked

    NdConnection connection() {
        return connection;
    }

    /**
     * Accepts the request that {@link NdListener#getConnectionRequest} brought; completes when the other side has consented. The queue
     * pair can receive before that. A call that fails at once, but with CONNECTION_ABORTED, has changed nothing; after a failure that
     * was delivered the queue pair is dead.
     *
     * @return PENDING; INVALID_PARAMETER_1, INVALID_BUFFER_SIZE, CONNECTION_ACTIVE, CONNECTION_INVALID if it has no request,
     *     CONNECTION_ABORTED if the other side has given up meanwhile. Delivered: SUCCESS, CONNECTION_REFUSED (with DOCUMENTED
     *     CONNECTION_ABORTED) if the other side rejected or dropped it, CONNECTION_ABORTED if it has left already, IO_TIMEOUT,
     *     CANCELED, DEVICE_REMOVED
     */
    public NdStatus accept(
            @Nullable NdQueuePair queuePair,
            int inboundReadLimit,
            int outboundReadLimit,
            byte @Nullable [] privateData,
            NdOverlapped overlapped) {
        NdStatus unfit = NdStatuses.first(
                usable(), checkQueuePair(queuePair), NdPrivateData.check(privateData, NdAdapterInfo.MAX_CALLEE_DATA));
        if (!unfit.isSuccess() || queuePair == null) {
            return unfit;
        }
        ReadLimits asked =
                ReadLimits.asked(inboundReadLimit, outboundReadLimit, context().mostReads());
        return connection.accept(queuePair, asked, NdPrivateData.bytes(privateData), overlapped);
    }

    // ---- both

    /**
     * Says no: to a request, or to what the other side accepted. The other side's Connect, or Accept, ends with CONNECTION_REFUSED.
     *
     * @param privateData for the other side, up to {@link NdAdapterInfo#maxCalleeData()} bytes; null for none
     * @return SUCCESS, INVALID_BUFFER_SIZE, CONNECTION_INVALID if there is nothing to say no to, CONNECTION_ABORTED if the other side has
     *     given up, DEVICE_REMOVED
     */
    public NdStatus reject(byte @Nullable [] privateData) {
        NdStatus unfit = NdStatuses.first(usable(), NdPrivateData.check(privateData, NdAdapterInfo.MAX_CALLEE_DATA));
        return unfit.isSuccess() ? connection.reject(NdPrivateData.bytes(privateData)) : unfit;
    }

    /**
     * What this side may serve and have under way, with the other side's wishes in view: before this side's consent what the other
     * one offers, afterwards what holds.
     *
     * @return SUCCESS, CONNECTION_INVALID, INVALID_DEVICE_STATE if they were asked for too late for the profile
     */
    public NdStatus getReadLimits(@Nullable NdSize inboundReadLimit, @Nullable NdSize outboundReadLimit) {
        NdStatus unfit = usable();
        return unfit.isSuccess()
                ? connection.readLimits(
                        inboundReadLimit == null ? new NdSize() : inboundReadLimit,
                        outboundReadLimit == null ? new NdSize() : outboundReadLimit)
                : unfit;
    }

    /**
     * The other side's private data: of its Connect, before this side has answered; of its Accept, before this side has consented; of
     * its Reject.
     *
     * @param buffer where as much of it goes as fits; null to ask for the length
     * @param size set to the whole length
     * @return SUCCESS, BUFFER_OVERFLOW if it did not fit, CONNECTION_INVALID, CONNECTION_ABORTED if the other side has given up
     */
    public NdStatus getPrivateData(byte @Nullable [] buffer, NdSize size) {
        NdStatus unfit = usable();
        return unfit.isSuccess() ? connection.privateData(buffer, size) : unfit;
    }

    // ---- the end

    /**
     * Completes when the connection ends, from either side.
     *
     * @return PENDING; SUCCESS if it has ended, CONNECTION_INVALID if there never was one. Delivered: SUCCESS if a side ended it,
     *     CONNECTION_DISCONNECTED if it broke, CANCELED, DEVICE_REMOVED
     */
    public NdStatus notifyDisconnect(NdOverlapped overlapped) {
        NdStatus unfit = usable();
        NdStatus status = unfit.isSuccess() ? connection.notifyDisconnect(overlapped) : unfit;
        connection.check();
        return status;
    }

    /**
     * Ends the connection, or agrees to its end; when that is done everything that is posted is cancelled.
     *
     * @return PENDING; SUCCESS if the other side has ended it, CONNECTION_INVALID. Delivered: SUCCESS, IO_TIMEOUT if the other side does not
     *     answer, CANCELED, DEVICE_REMOVED
     */
    public NdStatus disconnect(NdOverlapped overlapped) {
        NdStatus unfit = usable();
        NdStatus status = unfit.isSuccess() ? connection.disconnect(overlapped) : unfit;
        dispatcher.dispatch();
        return status;
    }

    // ---- what others tell it

    @Override
    void check() {
        connection.check();
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

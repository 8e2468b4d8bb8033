// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** One end of a connection in the making ({@code IND2Connector}), for one connection. */
public abstract non-sealed class NdConnector extends NdOverlappedObject {

    NdConnector(NdAdapter adapter, NdOverlappedFile file) {
        super(adapter, file);
    }

    /**
     * Gives it a local address.
     *
     * @return SUCCESS, SHARING_VIOLATION if another has it, ADDRESS_ALREADY_ASSOCIATED if this has one, INVALID_ADDRESS if it is not of
     *     the adapter, TOO_MANY_ADDRESSES if no port is left
     */
    public abstract NdStatus bind(InetSocketAddress address);

    /**
     * Asks a listener for a connection; completes when it has accepted.
     *
     * @param inboundReadLimit Reads that this side will serve at a time; more than the adapter can is less
     * @param outboundReadLimit Reads that this side wants under way; 0 forbids Reads
     * @param privateData for the other side, up to {@link NdAdapterInfo#maxCallerData()} bytes; null for none
     * @return PENDING; INVALID_PARAMETER_1, INVALID_BUFFER_SIZE, CONNECTION_ACTIVE, BAD_NETWORK_NAME, INVALID_ADDRESS. Delivered:
     *     SUCCESS, CONNECTION_REFUSED, IO_TIMEOUT, HOST_UNREACHABLE, NETWORK_UNREACHABLE, CANCELED, DEVICE_REMOVED
     */
    public abstract NdStatus connect(
            NdQueuePair queuePair,
            InetSocketAddress destination,
            int inboundReadLimit,
            int outboundReadLimit,
            byte @Nullable [] privateData,
            NdOverlapped overlapped);

    /** The active side's consent: the connection stands. SUCCESS, PENDING, CONNECTION_INVALID, IO_TIMEOUT, DEVICE_REMOVED. */
    public abstract NdStatus completeConnect(NdOverlapped overlapped);

    /**
     * Accepts the request that {@link NdListener#getConnectionRequest} brought; completes when the other side has consented.
     *
     * @return PENDING; INVALID_BUFFER_SIZE, CONNECTION_ACTIVE, CONNECTION_ABORTED. Delivered: SUCCESS, CONNECTION_REFUSED if the other side
     *     rejected or dropped it, IO_TIMEOUT, CANCELED, DEVICE_REMOVED
     */
    public abstract NdStatus accept(
            NdQueuePair queuePair,
            int inboundReadLimit,
            int outboundReadLimit,
            byte @Nullable [] privateData,
            NdOverlapped overlapped);

    /** Says no, on either side. SUCCESS, INVALID_BUFFER_SIZE, CONNECTION_ABORTED, DEVICE_REMOVED. */
    public abstract NdStatus reject(byte @Nullable [] privateData);

    /**
     * What this side may serve and have under way, with the other side's wishes in view.
     *
     * @return SUCCESS, CONNECTION_INVALID, INVALID_DEVICE_STATE
     */
    public abstract NdStatus getReadLimits(@Nullable NdSize inboundReadLimit, @Nullable NdSize outboundReadLimit);

    /**
     * The other side's private data.
     *
     * @param buffer where as much of it goes as fits; null to ask for the length
     * @param size set to the whole length
     * @return SUCCESS, BUFFER_OVERFLOW if it did not fit, CONNECTION_INVALID, CONNECTION_ABORTED
     */
    public abstract NdStatus getPrivateData(byte @Nullable [] buffer, NdSize size);

    /** Its own address; the array is untouched if it has no room. SUCCESS, BUFFER_OVERFLOW, CONNECTION_INVALID. */
    public abstract NdStatus getLocalAddress(InetSocketAddress @Nullable [] address, NdSize count);

    /** The other side's address. SUCCESS, BUFFER_OVERFLOW, CONNECTION_INVALID. */
    public abstract NdStatus getPeerAddress(InetSocketAddress @Nullable [] address, NdSize count);

    /** Completes when the connection ends, from either side. PENDING, CONNECTION_INVALID; delivered SUCCESS, CONNECTION_DISCONNECTED, CANCELED. */
    public abstract NdStatus notifyDisconnect(NdOverlapped overlapped);

    /** Ends the connection; afterwards what is posted is cancelled. PENDING, CONNECTION_INVALID; delivered SUCCESS, IO_TIMEOUT, CANCELED. */
    public abstract NdStatus disconnect(NdOverlapped overlapped);
}

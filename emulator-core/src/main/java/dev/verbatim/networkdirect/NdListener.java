// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Waits for connections ({@code IND2Listener}). */
public abstract non-sealed class NdListener extends NdOverlappedObject {

    NdListener(NdAdapter adapter, NdOverlappedFile file) {
        super(adapter, file);
    }

    /**
     * Gives it an address; the wildcard is all addresses of its adapter.
     *
     * @return SUCCESS, SHARING_VIOLATION if another has it, ADDRESS_ALREADY_ASSOCIATED if this has one, INVALID_ADDRESS,
     *     TOO_MANY_ADDRESSES if no port is left, INSUFFICIENT_RESOURCES
     */
    public abstract NdStatus bind(InetSocketAddress address);

    /**
     * Requests are taken from now on.
     *
     * @param backlog how many may wait for {@link #getConnectionRequest}; 0 for as many as there is room for
     * @return SUCCESS, INVALID_DEVICE_STATE if it listens already, INSUFFICIENT_RESOURCES
     */
    public abstract NdStatus listen(int backlog);

    /** Its address; the array is untouched if it has no room. SUCCESS, BUFFER_OVERFLOW, INVALID_DEVICE_STATE if it does not listen. */
    public abstract NdStatus getLocalAddress(InetSocketAddress @Nullable [] address, NdSize count);

    /**
     * Completes when a request has come; the connector is its end of it then.
     *
     * @return SUCCESS or PENDING; delivered SUCCESS, CANCELED when the listener is released, DEVICE_REMOVED
     */
    public abstract NdStatus getConnectionRequest(NdConnector connector, NdOverlapped overlapped);
}

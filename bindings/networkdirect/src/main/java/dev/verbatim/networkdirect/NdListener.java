// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connection requests ({@code IND2Listener}). Requests wait in connection management until the program takes them with
 * GetConnectionRequest; a request that finds the backlog full is refused.
 */
public final class NdListener extends NdOverlappedObject {

    /** A connector that waits for a request, and the overlapped that is delivered then. */
    private record Taker(NdConnector connector, NdOverlapped overlapped) {}

    private final ConnectionDispatcher dispatcher;
    private final CmId id;
    private final ArrayDeque<Taker> takers = new ArrayDeque<>();

    /** Requests that no connector has taken yet. */
    private final ArrayDeque<CmEvent> returned = new ArrayDeque<>();

    private boolean isBound;
    private boolean isListening;

    NdListener(NdContext context, NdOverlappedFile file, EventChannel channel) {
        super(context, file);
        this.dispatcher = new ConnectionDispatcher(channel, calls(), context.progress(), this::hasPending, this::heard);
        this.id = channel.createId();
    }

    @Override
    Dispatcher dispatcher() {
        return dispatcher;
    }

    private NdStatus usable() {
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        return context().isRemoved() ? NdStatus.DEVICE_REMOVED : NdStatus.SUCCESS;
    }

    /**
     * Binds it to an address; the wildcard means all addresses of its adapter. Where devices are reached over sockets, the address of a
     * socket lets peers find the device there, too.
     *
     * @param address with port 0 for a free port from 49152 to 65535
     * @return SUCCESS, SHARING_VIOLATION if the port is in use, ADDRESS_ALREADY_ASSOCIATED if this is bound already, INVALID_ADDRESS,
     *     TOO_MANY_ADDRESSES if no port is free, DEVICE_REMOVED
     */
    public NdStatus bind(InetSocketAddress address) {
        return calls().run(() -> bindTo(address));
    }

    private synchronized NdStatus bindTo(InetSocketAddress address) {
        NdStatus unfit = usable();
        if (!unfit.isSuccess()) {
            return unfit;
        }
        if (isBound) {
            return NdStatus.ADDRESS_ALREADY_ASSOCIATED;
        }
        NdStatus status = context().bind(id, address);
        isBound = status.isSuccess();
        return status;
    }

    /**
     * Starts to accept requests.
     *
     * @param backlog how many may wait for {@link #getConnectionRequest}; 0 for the most
     * @return SUCCESS, INVALID_DEVICE_STATE if it listens already or has no address, INSUFFICIENT_RESOURCES, DEVICE_REMOVED
     */
    public NdStatus listen(int backlog) {
        return calls().run(() -> start(backlog));
    }

    private synchronized NdStatus start(int backlog) {
        NdStatus unfit = usable();
        if (!unfit.isSuccess()) {
            return unfit;
        }
        if (!isBound || isListening) {
            return NdStatus.INVALID_DEVICE_STATE;
        }
        try {
            id.listenOrRefuse(backlog);
        } catch (VerbsException refused) {
            return NdStatuses.ofConnection(refused);
        }
        isListening = true;
        return NdStatus.SUCCESS;
    }

    /** Its address; the array is not changed if it is too short. SUCCESS, BUFFER_OVERFLOW, INVALID_DEVICE_STATE if it does not listen. */
    public NdStatus getLocalAddress(InetSocketAddress @Nullable [] address, NdSize count) {
        InetSocketAddress own = calls().runNullable(this::ownAddress);
        return own == null ? NdStatus.INVALID_DEVICE_STATE : count.copy(new InetSocketAddress[] {own}, address);
    }

    private synchronized @Nullable InetSocketAddress ownAddress() {
        return isListening && !isReleased() ? id.localAddress() : null;
    }

    /**
     * Completes when a connection request has arrived, which the connector can then accept or reject. Several calls may be pending: each
     * gets one request.
     *
     * @param connector new, and of the same adapter
     * @return PENDING; INVALID_PARAMETER_1, CONNECTION_ACTIVE if the connector is in use, INVALID_DEVICE_STATE if this does not listen.
     *     Delivered: SUCCESS, CANCELED when the listener is released, DEVICE_REMOVED
     */
    public NdStatus getConnectionRequest(@Nullable NdConnector connector, NdOverlapped overlapped) {
        return calls().run(() -> take(connector, overlapped));
    }

    private NdStatus take(@Nullable NdConnector connector, NdOverlapped overlapped) {
        NdStatus unfit = usable();
        if (!unfit.isSuccess()) {
            return unfit;
        }
        if (connector == null || connector.isReleased() || isForeign(connector)) {
            return NdStatus.INVALID_PARAMETER_1;
        }
        synchronized (this) {
            if (!isListening) {
                return NdStatus.INVALID_DEVICE_STATE;
            }
            if (!connector.connection().await()) {
                return NdStatus.CONNECTION_ACTIVE;
            }
            NdStatus unused = begin(overlapped);
            takers.addLast(new Taker(connector, overlapped));
            handOut();
        }
        dispatcher.dispatch();
        return NdStatus.PENDING;
    }

    @SuppressWarnings("ReferenceEquality") // the same instance
    private boolean isForeign(NdConnector connector) {
        return connector.context() != context();
    }

    private synchronized void heard(CmEvent event) {
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            returned.addLast(event);
            handOut();
        } else if (event.type() == CmEventType.DEVICE_REMOVAL) {
            context().deviceRemoved();
            leaveAll(NdStatus.DEVICE_REMOVED);
        }
    }

    /** Hands a request to each connector that waits, as far as there are any. */
    private void handOut() {
        while (!returned.isEmpty() && !takers.isEmpty()) {
            Taker taker = takers.removeFirst();
            boolean isTaken = taker.connector().connection().requested(returned.getFirst());
            if (isTaken) {
                returned.removeFirst();
            }
            boolean unused = finish(taker.overlapped(), isTaken ? NdStatus.SUCCESS : NdStatus.CANCELED);
        }
    }

    @Override
    void check() {
        calls().runPart(() -> {
            if (context().isRemoved()) {
                leaveAll(NdStatus.DEVICE_REMOVED);
            }
        });
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the same request
    synchronized void cancelled(NdOverlapped overlapped) {
        for (Taker taker : takers) {
            if (taker.overlapped() == overlapped) {
                taker.connector().connection().awaitNoMore();
            }
        }
        takers.removeIf(taker -> taker.overlapped() == overlapped);
    }

    private synchronized void leaveAll(NdStatus status) {
        takers.forEach(taker -> taker.connector().connection().awaitNoMore());
        takers.clear();
        finishAll(status);
    }

    /** Requests that wait are refused. */
    @Override
    void end() {
        leaveAll(NdStatus.CANCELED);
        synchronized (this) {
            returned.forEach(event -> context().closeWhenUnused(event.id()::close));
            returned.clear();
        }
        context().closeWhenUnused(id::close);
        context().closeWhenUnused(dispatcher::close);
    }
}

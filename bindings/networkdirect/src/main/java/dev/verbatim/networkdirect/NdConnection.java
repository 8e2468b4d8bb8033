// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.networkdirect.NdProfile.Statuses;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The connection of a connector: its state, identifier, queue pair and pending requests. The monitor guards all of them. */
final class NdConnection {

    private static final Duration RESOLVE_PATIENCE = Duration.ofSeconds(10);

    private final NdOverlappedObject issuer;
    private final NdContext context;
    private final ConnectionDispatcher dispatcher;
    private final Runnable whenQueuePairReleased = this::queuePairReleased;
    private final List<NdOverlapped> notices = new ArrayList<>();
    private ConnectorState state = ConnectorState.IDLE;
    private CmId id;
    private @Nullable NdQueuePair queuePair;

    /** The Connect, Accept or Disconnect that is pending. */
    private @Nullable NdOverlapped underWay;

    private ReadLimits limits = ReadLimits.NONE;

    /** The peer's private data, while it may be queried. */
    private byte @Nullable [] said;

    /**
     * The connection of a connector.
     *
     * @param issuer the connector, at which requests are pending
     */
    NdConnection(NdOverlappedObject issuer, ConnectionDispatcher dispatcher) {
        this.issuer = issuer;
        this.context = issuer.context();
        this.dispatcher = dispatcher;
        this.id = newId();
    }

    private CmId newId() {
        CmId made = dispatcher.channel().createId();
        made.context(this);
        return made;
    }

    private Statuses statuses() {
        return context.profile().statuses();
    }

    synchronized boolean isRemoved() {
        return state == ConnectorState.REMOVED;
    }

    synchronized @Nullable InetSocketAddress localAddress() {
        return id.localAddress();
    }

    synchronized @Nullable InetSocketAddress peerAddress() {
        return id.peerAddress();
    }

    // ---- calls

    synchronized NdStatus bind(InetSocketAddress address) {
        if (state != ConnectorState.IDLE) {
            return NdStatus.ADDRESS_ALREADY_ASSOCIATED;
        }
        NdStatus status = context.isOwn(address) ? context.bind(id, address) : NdStatus.INVALID_ADDRESS;
        if (status.isSuccess()) {
            state = ConnectorState.BOUND;
        }
        return status;
    }

    synchronized NdStatus connect(
            NdQueuePair own,
            InetSocketAddress destination,
            ReadLimits asked,
            byte[] privateData,
            NdOverlapped overlapped) {
        if (state == ConnectorState.IDLE) {
            return NdStatus.INVALID_DEVICE_STATE;
        }
        NdStatus taken = state == ConnectorState.BOUND ? own.take(whenQueuePairReleased) : NdStatus.CONNECTION_ACTIVE;
        if (!taken.isSuccess()) {
            return taken;
        }
        queuePair = own;
        limits = asked;
        enter(ConnectorState.CONNECTING, overlapped);
        try {
            id.resolveAndConnect(destination, RESOLVE_PATIENCE, parameters(own, privateData));
        } catch (VerbsException refused) {
            failed(NdStatuses.ofConnection(refused));
        }
        return NdStatus.PENDING;
    }

    synchronized NdStatus completeConnect(NdOverlapped overlapped) {
        NdQueuePair own = queuePair;
        if (state != ConnectorState.ACCEPTED || own == null) {
            return connectionInvalid();
        }
        said = null;
        try {
            own.setUp(id, limits);
            id.establish();
        } catch (VerbsException refused) {
            NdStatus unused = own.toError();
            giveUp(ConnectorState.FAILED);
            return NdStatuses.ofConnection(refused);
        }
        own.connected(limits.outbound());
        state = ConnectorState.CONNECTED;
        return issuer.inline(overlapped, NdStatus.SUCCESS);
    }

    synchronized NdStatus accept(NdQueuePair own, ReadLimits asked, byte[] privateData, NdOverlapped overlapped) {
        if (state != ConnectorState.REQUESTED) {
            return state == ConnectorState.ACCEPTING || state.wasConnected()
                    ? NdStatus.CONNECTION_ACTIVE
                    : connectionInvalid();
        }
        if (isWithdrawn()) {
            giveUp(ConnectorState.FAILED);
            return NdStatus.CONNECTION_ABORTED;
        }
        NdStatus taken = own.take(whenQueuePairReleased);
        if (!taken.isSuccess()) {
            return taken;
        }
        queuePair = own;
        limits = asked.with(limits);
        enter(ConnectorState.ACCEPTING, overlapped);
        try {
            own.setUp(id, limits);
            id.accept(parameters(own, privateData));
        } catch (VerbsException refused) {
            failed(NdStatuses.ofConnection(refused));
        }
        return NdStatus.PENDING;
    }

    /** If the peer has withdrawn its request there are no terms of the connection any more. */
    private boolean isWithdrawn() {
        try {
            return id.initQpAttributes(QpState.RTR).state() != QpState.RTR;
        } catch (VerbsException nothingToAgreeUpon) {
            return true;
        }
    }

    synchronized NdStatus reject(byte[] privateData) {
        if (state != ConnectorState.REQUESTED && state != ConnectorState.ACCEPTED) {
            return state == ConnectorState.FAILED && said == null ? NdStatus.CONNECTION_ABORTED : connectionInvalid();
        }
        NdStatus status = NdStatus.SUCCESS;
        try {
            id.reject(privateData);
        } catch (VerbsException gone) {
            status = NdStatuses.ofConnection(gone);
        }
        giveUp(ConnectorState.CLOSED);
        return status;
    }

    /** The limits, if they may be queried now. */
    synchronized NdStatus readLimits(NdSize inbound, NdSize outbound) {
        boolean isLate = state == ConnectorState.ACCEPTING || state == ConnectorState.CONNECTED;
        if (isLate && !context.profile().readLimitsAfterAccept()) {
            return NdStatus.INVALID_DEVICE_STATE;
        }
        if (!isLate && state != ConnectorState.REQUESTED && state != ConnectorState.ACCEPTED) {
            return connectionInvalid();
        }
        inbound.value(limits.inbound());
        outbound.value(limits.outbound());
        return NdStatus.SUCCESS;
    }

    synchronized NdStatus privateData(byte @Nullable [] buffer, NdSize size) {
        byte[] bytes = said;
        boolean isGone =
                state == ConnectorState.REQUESTED ? isWithdrawn() : state == ConnectorState.FAILED && bytes == null;
        if (bytes == null || isGone) {
            size.value(0);
            return isGone ? NdStatus.CONNECTION_ABORTED : connectionInvalid();
        }
        return size.copy(bytes, PrivateData.lengthBytes(bytes, context.profile().padPrivateData()), buffer);
    }

    synchronized NdStatus notifyDisconnect(NdOverlapped overlapped) {
        if (state == ConnectorState.ENDED) {
            return issuer.inline(overlapped, NdStatus.SUCCESS);
        }
        if (state != ConnectorState.ACCEPTING && !state.wasConnected()) {
            return connectionInvalid();
        }
        NdStatus status = issuer.begin(overlapped);
        notices.add(overlapped);
        return status;
    }

    synchronized NdStatus disconnect(NdOverlapped overlapped) {
        if (state == ConnectorState.ENDED) {
            leave();
            end(ConnectorState.CLOSED);
            return issuer.inline(overlapped, NdStatus.SUCCESS);
        }
        if (state != ConnectorState.CONNECTED) {
            return connectionInvalid();
        }
        enter(ConnectorState.DISCONNECTING, overlapped);
        leave();
        return NdStatus.PENDING;
    }

    /** CONNECTION_INVALID, with the state as its reason. */
    synchronized NdStatus connectionInvalid() {
        return NdStatus.CONNECTION_INVALID.because("the connector is %s", state);
    }

    // ---- a listener

    /** A listener is to hand it a request; false if it is in use. */
    synchronized boolean await() {
        boolean isFree = state == ConnectorState.IDLE;
        if (isFree) {
            state = ConnectorState.AWAITING;
        }
        return isFree;
    }

    /** The listener will not hand it a request any more. */
    synchronized void awaitNoMore() {
        if (state == ConnectorState.AWAITING) {
            state = ConnectorState.IDLE;
        }
    }

    /** Takes a request from a listener; false if it cannot. */
    synchronized boolean requested(CmEvent request) {
        if (state != ConnectorState.AWAITING) {
            return false;
        }
        CmId own = id;
        request.id().migrate(dispatcher.channel());
        request.id().context(this);
        id = request.id();
        context.closeWhenUnused(own::close);
        limits = ReadLimits.offered(request.parameters(), context.mostReads());
        said = request.privateData();
        state = ConnectorState.REQUESTED;
        return true;
    }

    // ---- steps

    /** A request is pending from now on. */
    private void enter(ConnectorState next, NdOverlapped overlapped) {
        NdStatus unused = issuer.begin(overlapped);
        state = next;
        underWay = overlapped;
        said = null;
    }

    /** The RNR retries are for the peer's queue pair: an empty shared receive queue of this side must not fail it. */
    private ConnectionParameters parameters(NdQueuePair own, byte[] privateData) {
        NdProfile profile = context.profile();
        return limits.in(ConnectionParameters.USUAL
                .withPrivateData(privateData)
                .withRnrRetryCount(own.hasSharedReceives() ? profile.srqRnrRetry() : profile.plainRnrRetry())
                .withSrq(own.hasSharedReceives())
                .withQpNumber(own.verbs().number()));
    }

    private void leave() {
        try {
            id.disconnect();
        } catch (VerbsException overOrGone) {
            // An event reports it, or has reported it.
        }
    }

    /** The queue pair's part in the connection is over. */
    private void end(ConnectorState next) {
        state = next;
        NdQueuePair own = queuePair;
        if (own != null) {
            own.disconnected();
            NdStatus unused = own.toError();
        }
    }

    /** The connection failed: the queue pair may serve another one if it was not used yet. */
    private void giveUp(ConnectorState next) {
        NdQueuePair own = queuePair;
        if (own != null && state == ConnectorState.ACCEPTING) {
            NdStatus unused = own.toError();
        }
        if (own != null) {
            own.giveBack(whenQueuePairReleased);
            queuePair = null;
        }
        state = next;
        said = null;
        context.closeWhenUnused(id::close);
    }

    /** Ends the connection, or the attempt to make one. */
    private void abandon() {
        if (state.wasConnected()) {
            end(ConnectorState.CLOSED);
            context.closeWhenUnused(id::close);
        } else if (state != ConnectorState.REMOVED) {
            giveUp(ConnectorState.CLOSED);
        }
    }

    synchronized void cancelled(NdOverlapped overlapped) {
        if (!notices.remove(overlapped)) {
            underWay = null;
            abandon();
        }
    }

    /** Cancelling before CompleteConnect gives up the connection. */
    synchronized void cancelledAll() {
        if (state == ConnectorState.ACCEPTED) {
            abandon();
        }
    }

    /** The connector was released. */
    synchronized void released() {
        notices.clear();
        underWay = null;
        abandon();
    }

    /** The queue pair was released, which is an implicit Disconnect. */
    private synchronized void queuePairReleased() {
        if (state == ConnectorState.CONNECTED) {
            state = ConnectorState.DISCONNECTING;
            leave();
        } else if (!state.wasConnected()) {
            finishUnderWay(NdStatus.CANCELED);
            abandon();
        }
        queuePair = null;
    }

    // ---- events

    /** Hands an event to the connection that it is about. */
    static void dispatch(CmEvent event) {
        if (event.id().context() instanceof NdConnection connection) {
            connection.heard(event);
        }
    }

    private synchronized void heard(CmEvent event) {
        if (!isCurrent(event.id())) {
            return;
        }
        switch (event.type()) {
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR -> failed(NdStatuses.ofEvent(event.status()));
            case CONNECT_RESPONSE -> accepted(event);
            case REJECTED -> rejected(event.privateData());
            case UNREACHABLE -> failed(NdStatus.IO_TIMEOUT);
            case ESTABLISHED -> established();
            case DISCONNECTED -> over(event.status() == 0);
            case DEVICE_REMOVAL -> {
                context.deviceRemoved();
                removed();
            }
            default -> {}
        }
    }

    @SuppressWarnings("ReferenceEquality") // an identifier is its identity
    private boolean isCurrent(CmId other) {
        return other == id;
    }

    private void accepted(CmEvent event) {
        if (state == ConnectorState.CONNECTING) {
            limits = limits.with(ReadLimits.offered(event.parameters(), context.mostReads()));
            state = ConnectorState.ACCEPTED;
            said = Arrays.copyOf(event.privateData(), NdAdapterInfo.MAX_CALLEE_DATA);
            finishUnderWay(NdStatus.SUCCESS);
        }
    }

    private void established() {
        NdQueuePair own = queuePair;
        if (state == ConnectorState.ACCEPTING && own != null) {
            own.connected(limits.outbound());
            state = ConnectorState.CONNECTED;
            finishUnderWay(NdStatus.SUCCESS);
        }
    }

    private void rejected(byte[] reason) {
        if (state == ConnectorState.REQUESTED) {
            return; // the peer withdrew its request, which the next call on it finds out
        }
        if (state.wasConnected()) {
            over(false);
            return;
        }
        boolean isAnswered = state == ConnectorState.CONNECTING || state == ConnectorState.ACCEPTING;
        failed(
                state == ConnectorState.ACCEPTING && statuses() == Statuses.DOCUMENTED
                        ? NdStatus.CONNECTION_ABORTED
                        : NdStatus.CONNECTION_REFUSED);
        if (isAnswered && state == ConnectorState.FAILED) {
            said = reason;
        }
    }

    /** Connect or Accept failed, or the accepted connection was rejected. */
    private void failed(NdStatus status) {
        InetSocketAddress local = id.localAddress();
        boolean again = state == ConnectorState.CONNECTING && NdStatuses.isWorthAnotherTry(status, statuses());
        giveUp(ConnectorState.FAILED);
        if (again && local != null) {
            id = newId();
            state = context.bind(id, local).isSuccess() ? ConnectorState.BOUND : ConnectorState.FAILED;
        }
        finishUnderWay(status);
        finishNotices(NdStatus.CONNECTION_DISCONNECTED);
    }

    /** The connection has ended: by one of the sides, or because it broke. */
    private void over(boolean orderly) {
        if (state == ConnectorState.ACCEPTING) {
            failed(NdStatus.CONNECTION_ABORTED);
        } else if (state == ConnectorState.DISCONNECTING) {
            end(ConnectorState.CLOSED);
            finishNotices(NdStatus.SUCCESS);
            finishUnderWay(orderly ? NdStatus.SUCCESS : NdStatus.IO_TIMEOUT);
        } else if (state == ConnectorState.CONNECTED) {
            state = ConnectorState.ENDED;
            NdQueuePair own = queuePair;
            if (own != null) {
                own.disconnected();
            }
            // The notice comes first.
            finishNotices(orderly ? NdStatus.SUCCESS : NdStatus.CONNECTION_DISCONNECTED);
            if (own != null && (!orderly || context.profile().flushOnPeerDisconnect())) {
                NdStatus unused = own.toError();
            }
        }
    }

    private synchronized void removed() {
        state = ConnectorState.REMOVED;
        said = null;
        notices.clear();
        underWay = null;
        issuer.finishAll(NdStatus.DEVICE_REMOVED);
        context.closeWhenUnused(id::close);
    }

    private void finishUnderWay(NdStatus status) {
        NdOverlapped overlapped = underWay;
        underWay = null;
        if (overlapped != null) {
            boolean unused = issuer.finish(overlapped, status);
        }
    }

    private void finishNotices(NdStatus status) {
        List<NdOverlapped> all = List.copyOf(notices);
        notices.clear();
        all.forEach(overlapped -> issuer.finish(overlapped, status));
    }

    /** Completes NotifyDisconnect if the queue pair has failed, for which there is no event. */
    synchronized void check() {
        if (context.isRemoved()) {
            removed();
        } else if (state == ConnectorState.CONNECTED && queuePair != null && queuePair.hasBroken()) {
            finishNotices(NdStatus.CONNECTION_DISCONNECTED);
        }
    }
}

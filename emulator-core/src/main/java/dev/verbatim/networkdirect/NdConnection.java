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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a connector is about: its state, its identifier, its queue pair, and what is under way. Its monitor guards all of it. */
final class NdConnection {

    private static final Duration RESOLVE_PATIENCE = Duration.ofSeconds(10);

    private final NdConnector face;
    private final NdAdapter adapter;
    private final NdConnectionNews news;
    private final List<NdOverlapped> notices = new ArrayList<>();
    private NdConnectorState state = NdConnectorState.IDLE;
    private CmId id;
    private @Nullable NdQueuePair queuePair;

    /** The Connect, Accept or Disconnect that is under way. */
    private @Nullable NdOverlapped underWay;

    private NdReadLimits limits = NdReadLimits.NONE;

    /** What the other side said, while it may be asked for. */
    private byte @Nullable [] said;

    NdConnection(NdConnector face, NdConnectionNews news) {
        this.face = face;
        this.adapter = face.adapter();
        this.news = news;
        this.id = newId();
    }

    private CmId newId() {
        CmId made = news.channel().createId();
        made.context(face);
        return made;
    }

    private Statuses statuses() {
        return adapter.profile().statuses();
    }

    synchronized boolean isRemoved() {
        return state == NdConnectorState.REMOVED;
    }

    synchronized @Nullable InetSocketAddress localAddress() {
        return id.localAddress();
    }

    synchronized @Nullable InetSocketAddress peerAddress() {
        return id.peerAddress();
    }

    // ---- calls, by whom they may be

    synchronized NdStatus bind(InetSocketAddress address) {
        if (state != NdConnectorState.IDLE) {
            return NdStatus.ADDRESS_ALREADY_ASSOCIATED;
        }
        NdPorts ports = adapter.ports();
        NdStatus status = ports.isOwn(address) ? ports.bind(id, address) : NdStatus.INVALID_ADDRESS;
        if (status.isSuccess()) {
            state = NdConnectorState.BOUND;
        }
        return status;
    }

    synchronized NdStatus connect(
            NdQueuePair own,
            InetSocketAddress destination,
            NdReadLimits asked,
            byte[] privateData,
            NdOverlapped overlapped) {
        if (state == NdConnectorState.IDLE) {
            return NdStatus.INVALID_DEVICE_STATE;
        }
        NdStatus taken = state == NdConnectorState.BOUND ? own.take(face) : NdStatus.CONNECTION_ACTIVE;
        if (!taken.isSuccess()) {
            return taken;
        }
        queuePair = own;
        limits = asked;
        enter(NdConnectorState.CONNECTING, overlapped);
        try {
            id.resolveAndConnect(destination, RESOLVE_PATIENCE, parameters(own, privateData));
        } catch (VerbsException refused) {
            failed(NdStatuses.ofConnection(refused));
        }
        return NdStatus.PENDING;
    }

    synchronized NdStatus completeConnect(NdOverlapped overlapped) {
        NdQueuePair own = queuePair;
        if (state != NdConnectorState.ACCEPTED || own == null) {
            return NdStatus.CONNECTION_INVALID;
        }
        said = null;
        try {
            own.setUp(id, limits);
            id.establish();
        } catch (VerbsException refused) {
            NdStatus unused = own.toError();
            giveUp(NdConnectorState.FAILED);
            return NdStatuses.ofConnection(refused);
        }
        own.connected(limits.inbound(), limits.outbound());
        state = NdConnectorState.CONNECTED;
        return face.inline(overlapped, NdStatus.SUCCESS);
    }

    synchronized NdStatus accept(NdQueuePair own, NdReadLimits asked, byte[] privateData, NdOverlapped overlapped) {
        if (state != NdConnectorState.REQUESTED) {
            return state == NdConnectorState.ACCEPTING || state.wasConnected()
                    ? NdStatus.CONNECTION_ACTIVE
                    : NdStatus.CONNECTION_INVALID;
        }
        if (isWithdrawn()) {
            giveUp(NdConnectorState.FAILED);
            return NdStatus.CONNECTION_ABORTED;
        }
        NdStatus taken = own.take(face);
        if (!taken.isSuccess()) {
            return taken;
        }
        queuePair = own;
        limits = asked.with(limits);
        enter(NdConnectorState.ACCEPTING, overlapped);
        try {
            own.setUp(id, limits);
            id.accept(parameters(own, privateData));
        } catch (VerbsException refused) {
            failed(NdStatuses.ofConnection(refused));
        }
        return NdStatus.PENDING;
    }

    /** Connection management says nothing of a peer who gave up before he was answered, but there is nothing to agree upon then. */
    private boolean isWithdrawn() {
        try {
            return id.initQpAttributes(QpState.RTR).state() != QpState.RTR;
        } catch (VerbsException nothingToAgreeUpon) {
            return true;
        }
    }

    synchronized NdStatus reject(byte[] privateData) {
        if (state != NdConnectorState.REQUESTED && state != NdConnectorState.ACCEPTED) {
            return state == NdConnectorState.FAILED && said == null
                    ? NdStatus.CONNECTION_ABORTED
                    : NdStatus.CONNECTION_INVALID;
        }
        NdStatus status = NdStatus.SUCCESS;
        try {
            id.reject(privateData);
        } catch (VerbsException gone) {
            status = NdStatuses.ofConnection(gone);
        }
        giveUp(NdConnectorState.CLOSED);
        return status;
    }

    /** The limits if they may be asked for now. */
    synchronized NdStatus readLimits(NdSize inbound, NdSize outbound) {
        boolean isLate = state == NdConnectorState.ACCEPTING || state == NdConnectorState.CONNECTED;
        if (isLate && !adapter.profile().readLimitsAfterAccept()) {
            return NdStatus.INVALID_DEVICE_STATE;
        }
        if (!isLate && state != NdConnectorState.REQUESTED && state != NdConnectorState.ACCEPTED) {
            return NdStatus.CONNECTION_INVALID;
        }
        inbound.value(limits.inbound());
        outbound.value(limits.outbound());
        return NdStatus.SUCCESS;
    }

    synchronized NdStatus privateData(byte @Nullable [] buffer, NdSize size) {
        byte[] bytes = said;
        boolean isGone =
                state == NdConnectorState.REQUESTED ? isWithdrawn() : state == NdConnectorState.FAILED && bytes == null;
        if (bytes == null || isGone) {
            size.value(0);
            return isGone ? NdStatus.CONNECTION_ABORTED : NdStatus.CONNECTION_INVALID;
        }
        return NdPrivateData.copy(bytes, adapter.profile(), buffer, size);
    }

    synchronized NdStatus notifyDisconnect(NdOverlapped overlapped) {
        if (state == NdConnectorState.ENDED) {
            return face.inline(overlapped, NdStatus.SUCCESS);
        }
        if (state != NdConnectorState.ACCEPTING && !state.wasConnected()) {
            return NdStatus.CONNECTION_INVALID;
        }
        NdStatus status = face.begin(overlapped);
        notices.add(overlapped);
        return status;
    }

    synchronized NdStatus disconnect(NdOverlapped overlapped) {
        if (state == NdConnectorState.ENDED) {
            leave();
            end(NdConnectorState.CLOSED);
            return face.inline(overlapped, NdStatus.SUCCESS);
        }
        if (state != NdConnectorState.CONNECTED) {
            return NdStatus.CONNECTION_INVALID;
        }
        enter(NdConnectorState.DISCONNECTING, overlapped);
        leave();
        return NdStatus.PENDING;
    }

    // ---- a listener

    /** A listener is to bring it a request; false if it has a use already. */
    synchronized boolean await() {
        boolean isFree = state == NdConnectorState.IDLE;
        if (isFree) {
            state = NdConnectorState.AWAITING;
        }
        return isFree;
    }

    /** It is not to any more. */
    synchronized void awaitNoMore() {
        if (state == NdConnectorState.AWAITING) {
            state = NdConnectorState.IDLE;
        }
    }

    /** A listener brings it a request; false if it cannot take it. */
    synchronized boolean requested(CmEvent request) {
        if (state != NdConnectorState.AWAITING) {
            return false;
        }
        CmId own = id;
        request.id().migrate(news.channel());
        request.id().context(face);
        id = request.id();
        adapter.closeWhenUnused(own::close);
        limits = NdReadLimits.offered(request.parameters(), adapter.info());
        said = request.privateData();
        state = NdConnectorState.REQUESTED;
        return true;
    }

    // ---- steps

    /** A request is under way from now on. */
    private void enter(NdConnectorState next, NdOverlapped overlapped) {
        NdStatus unused = face.begin(overlapped);
        state = next;
        underWay = overlapped;
        said = null;
    }

    /** RNR retries are those of the peer towards this side: an empty shared queue must not fail him. */
    private ConnectionParameters parameters(NdQueuePair own, byte[] privateData) {
        NdProfile profile = adapter.profile();
        return limits.in(ConnectionParameters.USUAL
                .privateData(privateData)
                .rnrRetryCount(own.hasSharedReceives() ? profile.srqRnrRetry() : profile.plainRnrRetry())
                .srq(own.hasSharedReceives())
                .qpNumber(own.verbs().number()));
    }

    private void leave() {
        try {
            id.disconnect();
        } catch (VerbsException overOrGone) {
            // An event says so, or has said so.
        }
    }

    /** The queue pair's part in the connection is over. */
    private void end(NdConnectorState next) {
        state = next;
        NdQueuePair own = queuePair;
        if (own != null) {
            own.disconnected();
            NdStatus unused = own.toError();
        }
    }

    /** Nothing comes of the connection: the queue pair may serve another if it was not used for this one. */
    private void giveUp(NdConnectorState next) {
        NdQueuePair own = queuePair;
        if (own != null && state == NdConnectorState.ACCEPTING) {
            NdStatus unused = own.toError();
        }
        if (own != null) {
            own.giveBack(face);
            queuePair = null;
        }
        state = next;
        said = null;
        adapter.closeWhenUnused(id::close);
    }

    /** Ends whatever there is or is to be. */
    private void abandon() {
        if (state.wasConnected()) {
            end(NdConnectorState.CLOSED);
            adapter.closeWhenUnused(id::close);
        } else if (state != NdConnectorState.REMOVED) {
            giveUp(NdConnectorState.CLOSED);
        }
    }

    synchronized void cancelled(NdOverlapped overlapped) {
        if (!notices.remove(overlapped)) {
            underWay = null;
            abandon();
        }
    }

    /** Whoever cancels while his consent is missing gives up. */
    synchronized void cancelledAll() {
        if (state == NdConnectorState.ACCEPTED) {
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
    synchronized void queuePairEnds() {
        if (state == NdConnectorState.CONNECTED) {
            state = NdConnectorState.DISCONNECTING;
            leave();
        } else if (!state.wasConnected()) {
            finishUnderWay(NdStatus.CANCELED);
            abandon();
        }
        queuePair = null;
    }

    // ---- what is heard

    /** Something happened to its connection. */
    synchronized void heard(CmEvent event) {
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
                adapter.deviceRemoved();
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
        if (state == NdConnectorState.CONNECTING) {
            limits = limits.with(NdReadLimits.offered(event.parameters(), adapter.info()));
            state = NdConnectorState.ACCEPTED;
            said = NdPrivateData.ofAccept(event.privateData());
            finishUnderWay(NdStatus.SUCCESS);
        }
    }

    private void established() {
        NdQueuePair own = queuePair;
        if (state == NdConnectorState.ACCEPTING && own != null) {
            own.connected(limits.inbound(), limits.outbound());
            state = NdConnectorState.CONNECTED;
            finishUnderWay(NdStatus.SUCCESS);
        }
    }

    private void rejected(byte[] reason) {
        if (state.wasConnected()) {
            over(false);
            return;
        }
        boolean isAnswered = state == NdConnectorState.CONNECTING || state == NdConnectorState.ACCEPTING;
        failed(
                state == NdConnectorState.ACCEPTING && statuses() == Statuses.DOCUMENTED
                        ? NdStatus.CONNECTION_ABORTED
                        : NdStatus.CONNECTION_REFUSED);
        if (isAnswered && state == NdConnectorState.FAILED) {
            said = reason;
        }
    }

    /** Connect or Accept failed, or what the other side accepted is void. */
    private void failed(NdStatus status) {
        InetSocketAddress local = id.localAddress();
        boolean again = state == NdConnectorState.CONNECTING && NdStatuses.isWorthAnotherTry(status, statuses());
        giveUp(NdConnectorState.FAILED);
        if (again && local != null) {
            id = newId();
            state = adapter.ports().bind(id, local).isSuccess() ? NdConnectorState.BOUND : NdConnectorState.FAILED;
        }
        finishUnderWay(status);
        finishNotices(NdStatus.CONNECTION_DISCONNECTED);
    }

    /** The connection has ended: by a side, or because it broke. */
    private void over(boolean orderly) {
        if (state == NdConnectorState.ACCEPTING) {
            failed(NdStatus.CONNECTION_ABORTED);
        } else if (state == NdConnectorState.DISCONNECTING) {
            end(NdConnectorState.CLOSED);
            finishNotices(NdStatus.SUCCESS);
            finishUnderWay(orderly ? NdStatus.SUCCESS : NdStatus.IO_TIMEOUT);
        } else if (state == NdConnectorState.CONNECTED) {
            state = NdConnectorState.ENDED;
            NdQueuePair own = queuePair;
            if (own != null) {
                own.disconnected();
            }
            // The notice comes first.
            finishNotices(orderly ? NdStatus.SUCCESS : NdStatus.CONNECTION_DISCONNECTED);
            if (own != null && (!orderly || adapter.profile().flushOnPeerDisconnect())) {
                NdStatus unused = own.toError();
            }
        }
    }

    private synchronized void removed() {
        state = NdConnectorState.REMOVED;
        said = null;
        notices.clear();
        underWay = null;
        face.finishAll(NdStatus.DEVICE_REMOVED);
        adapter.closeWhenUnused(id::close);
    }

    private void finishUnderWay(NdStatus status) {
        NdOverlapped overlapped = underWay;
        underWay = null;
        if (overlapped != null) {
            boolean unused = face.finish(overlapped, status);
        }
    }

    private void finishNotices(NdStatus status) {
        List<NdOverlapped> all = List.copyOf(notices);
        notices.clear();
        all.forEach(overlapped -> face.finish(overlapped, status));
    }

    /** A queue pair that failed says so to nobody but itself; whoever waits for the end hears of it. */
    synchronized void look() {
        if (adapter.isRemoved()) {
            removed();
        } else if (state == NdConnectorState.CONNECTED && queuePair != null && queuePair.hasBroken()) {
            finishNotices(NdStatus.CONNECTION_DISCONNECTED);
        }
    }
}

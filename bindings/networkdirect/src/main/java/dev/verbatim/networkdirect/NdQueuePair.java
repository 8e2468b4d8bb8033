// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.CmId;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WrOpcode;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection ({@code IND2QueuePair}): an RC queue pair of the device. It is in INIT when it is created, so that receives can
 * be posted before it is connected. A call that fails does not change the queue pair and completes nothing.
 */
public final class NdQueuePair extends NdObject {

    /** What it was created with, in the order of the call. */
    record Sizes(int receiveDepth, int initiatorDepth, int maxReceiveSge, int maxInitiatorSge, int inlineBytes) {

        /** An element more than none, for inline data that is brought together. */
        QpCapabilities toCapabilities() {
            return new QpCapabilities(
                    initiatorDepth, receiveDepth, Math.max(1, maxInitiatorSge), maxReceiveSge, inlineBytes);
        }
    }

    /** How long a peer is asked to wait for a receive: 0.64 ms. */
    private static final int RNR_TIMER = 12;

    private static final int OF_SEND =
            NdOpFlags.SILENT_SUCCESS | NdOpFlags.READ_FENCE | NdOpFlags.SEND_AND_SOLICIT_EVENT | NdOpFlags.INLINE;
    private static final int OF_READ = NdOpFlags.SILENT_SUCCESS | NdOpFlags.READ_FENCE;
    private static final int OF_WRITE = OF_READ | NdOpFlags.INLINE;
    private static final int OF_BIND = OF_READ | NdMemoryRegion.RIGHTS;
    private static final int OF_INVALIDATE = OF_READ;

    private final NdContext context;
    private final NdCompletionQueue receiveCq;
    private final NdCompletionQueue initiatorCq;
    private final @Nullable NdSharedReceiveQueue srq;
    private final @Nullable Object ofApplication;
    private final Sizes sizes;
    private final QueuePair verbs;
    private final NdInitiator initiator;
    private final RequestRing<NdRequest> requests;
    private final RequestRing<NdRequest> receives;
    private final Consumer<QueuePair> ended;
    private final ReceiveWorkRequest.Refillable receive;
    private volatile boolean connected;
    private volatile boolean disconnected;
    private volatile boolean flushed;
    /** What the connection that it serves does when it is released; null if it serves none. */
    private final AtomicReference<@Nullable Runnable> onRelease = new AtomicReference<>();

    /**
     * A queue pair of the device.
     *
     * @param ended is called when it was released
     */
    NdQueuePair(
            NdContext context,
            NdCompletionQueue receiveCq,
            NdCompletionQueue initiatorCq,
            @Nullable NdSharedReceiveQueue srq,
            @Nullable Object ofApplication,
            Sizes sizes,
            Consumer<QueuePair> ended) {
        this.context = context;
        this.receiveCq = receiveCq;
        this.initiatorCq = initiatorCq;
        this.srq = srq;
        this.ofApplication = ofApplication;
        this.ended = ended;
        this.sizes = sizes;
        this.verbs = context.pd()
                .createQp(new QpInitAttributes(
                        QpType.RC,
                        initiatorCq.verbs(),
                        receiveCq.verbs(),
                        sizes.toCapabilities(),
                        false,
                        this,
                        srq == null ? null : srq.verbs()));
        this.requests = new RequestRing<>(sizes.initiatorDepth(), () -> NdRequest.of(ofApplication));
        this.receives = new RequestRing<>(sizes.receiveDepth(), () -> NdRequest.of(ofApplication));
        this.initiator =
                new NdInitiator(context, verbs, initiatorCq, requests, sizes.maxInitiatorSge(), sizes.inlineBytes());
        this.receive = new ReceiveWorkRequest.Refillable(sizes.maxReceiveSge());
    }

    /** Puts it where it is found, and makes it ready for receives. */
    void start() {
        if (context.profile().silentSlotReclaim() == NdProfile.SilentSlotReclaim.ON_EXECUTION) {
            initiatorCq.expectSilent(sizes.initiatorDepth());
        }
        context.addRequests(requests);
        context.addRequests(receives);
        context.queuePairs().add(verbs.number(), ofApplication);
        verbs.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNumber(1)
                .accessFlags(AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE));
    }

    NdContext context() {
        return context;
    }

    @Override
    ObjectCalls calls() {
        return context.calls();
    }

    /** The queue pair of the device. */
    QueuePair verbs() {
        return verbs;
    }

    boolean hasSharedReceives() {
        return srq != null;
    }

    // By the connector.

    /**
     * It is to serve a connection.
     *
     * @param whenReleased what that connection does when the queue pair is released; it also identifies the connection
     * @return SUCCESS, CONNECTION_ACTIVE if it serves one, INVALID_PARAMETER_1 if it was flushed
     */
    NdStatus take(Runnable whenReleased) {
        if (!onRelease.compareAndSet(null, whenReleased)) {
            return NdStatus.CONNECTION_ACTIVE;
        }
        if (verbs.state() != QpState.INIT) {
            onRelease.set(null);
            return NdStatus.INVALID_PARAMETER_1;
        }
        return NdStatus.SUCCESS;
    }

    /** The connection failed; the queue pair may serve another. */
    void giveBack(Runnable whenReleased) {
        onRelease.compareAndSet(whenReleased, null);
    }

    /** To RTS, with what the two sides have agreed upon. */
    void setUp(CmId id, ReadLimits limits) {
        verbs.modify(id.initQpAttributes(QpState.RTR)
                .maxDestRdAtomic(limits.inbound())
                .minRnrTimer(RNR_TIMER));
        verbs.modify(id.initQpAttributes(QpState.RTS).maxRdAtomic(limits.outbound()));
    }

    /** Whether it failed; that the program flushed it does not count. */
    boolean hasBroken() {
        return !flushed && verbs.state() == QpState.ERR;
    }

    /** The device's queue pair is in RTS, and the program may use it as initiator. */
    void connected(int outboundReadLimit) {
        initiator.connected(outboundReadLimit);
        disconnected = false;
        connected = true;
    }

    /** Whether it is, or ever was. */
    boolean wasConnected() {
        return connected;
    }

    /** The connection is over, by either side: windows cannot be changed any more. What is posted stays, until it is flushed. */
    void disconnected() {
        disconnected = true;
    }

    // By the program.

    /**
     * Cancels all outstanding requests, of both queues; returns before their results are there. The queue pair cannot be used afterwards.
     */
    public NdStatus flush() {
        return calls().run(this::flushAll);
    }

    private NdStatus flushAll() {
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        flushed = true;
        return toError();
    }

    /** Cancels everything that is posted. */
    NdStatus toError() {
        try {
            verbs.modify(new QpAttributes().state(QpState.ERR));
            return NdStatus.SUCCESS;
        } catch (VerbsException refused) {
            return NdStatuses.ofVerb(refused);
        }
    }

    /**
     * Sends a message, which consumes one receive of the peer.
     *
     * @param flags SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT, INLINE
     * @return SUCCESS, INVALID_PARAMETER_4 for other flags, CONNECTION_INVALID, DATA_OVERRUN for too many elements, BUFFER_OVERFLOW for
     *     too many bytes, NO_MORE_ENTRIES if the queue is full
     */
    public NdStatus send(@Nullable Object requestContext, NdSge[] sge, int flags) {
        NdStatus otherFlags = NdStatus.INVALID_PARAMETER_4;
        return post(NdRequestType.SEND, WrOpcode.SEND, requestContext, sge, 0, 0, flags, OF_SEND, otherFlags);
    }

    /**
     * Posts a receive; in any state of the connection.
     *
     * @return SUCCESS, DATA_OVERRUN for too many elements, BUFFER_OVERFLOW for too many bytes, NO_MORE_ENTRIES if the queue is full,
     *     INVALID_DEVICE_STATE if it uses a shared receive queue
     */
    public NdStatus receive(@Nullable Object requestContext, NdSge[] sge) {
        calls().begin();
        try {
            return postReceive(requestContext, sge);
        } finally {
            calls().end();
        }
    }

    private NdStatus postReceive(@Nullable Object requestContext, NdSge[] sge) {
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        if (srq != null) {
            return NdStatus.INVALID_DEVICE_STATE;
        }
        NdStatus unfit = context.checkReceive(sge, sizes.maxReceiveSge());
        if (!unfit.isSuccess()) {
            return unfit;
        }
        synchronized (receives) {
            if (receives.isFull()) {
                return NdStatus.NO_MORE_ENTRIES;
            }
            int number = receives.put();
            receives.get(number).receive(requestContext);
            receive.fill(receives.id(number));
            for (NdSge element : sge) {
                receive.add(element.element());
            }
            try {
                verbs.postRecv(receive);
                return NdStatus.SUCCESS;
            } catch (VerbsException refused) {
                receives.get(number).clear();
                receives.takeBack();
                return NdStatuses.ofPost(refused);
            }
        }
    }

    /**
     * Reads memory of the peer.
     *
     * @param remoteAddress an address in the peer's region or window
     * @param remoteToken the peer's token, as the peer sent it
     * @param flags SILENT_SUCCESS, READ_FENCE
     * @return as of {@link #send}, but INVALID_PARAMETER_6
     */
    public NdStatus read(@Nullable Object requestContext, NdSge[] sge, long remoteAddress, int remoteToken, int flags) {
        int key = NdToken.toRkey(remoteToken);
        NdStatus otherFlags = NdStatus.INVALID_PARAMETER_6;
        return post(
                NdRequestType.READ,
                WrOpcode.RDMA_READ,
                requestContext,
                sge,
                remoteAddress,
                key,
                flags,
                OF_READ,
                otherFlags);
    }

    /**
     * Writes memory of the peer.
     *
     * @param flags SILENT_SUCCESS, READ_FENCE, INLINE
     * @return as of {@link #read}
     */
    public NdStatus write(
            @Nullable Object requestContext, NdSge[] sge, long remoteAddress, int remoteToken, int flags) {
        int key = NdToken.toRkey(remoteToken);
        NdStatus otherFlags = NdStatus.INVALID_PARAMETER_6;
        return post(
                NdRequestType.WRITE,
                WrOpcode.RDMA_WRITE,
                requestContext,
                sge,
                remoteAddress,
                key,
                flags,
                OF_WRITE,
                otherFlags);
    }

    private NdStatus post(
            NdRequestType type,
            WrOpcode opcode,
            @Nullable Object requestContext,
            NdSge[] sge,
            long remoteAddress,
            int remoteKey,
            int flags,
            int allowed,
            NdStatus otherFlags) {
        calls().begin();
        try {
            NdStatus unfit = checkInitiator(flags, allowed, otherFlags);
            return unfit.isSuccess()
                    ? initiator.post(type, opcode, requestContext, sge, remoteAddress, remoteKey, flags)
                    : unfit;
        } finally {
            calls().end();
        }
    }

    private NdStatus checkInitiator(int flags, int allowed, NdStatus otherFlags) {
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        if ((flags & ~allowed) != 0) {
            return otherFlags;
        }
        return connected
                ? NdStatus.SUCCESS
                : NdStatus.CONNECTION_INVALID.because(
                        "qp %d, which is in %s, is not connected; post after Accept or CompleteConnect has completed",
                        verbs.number(), verbs.state());
    }

    /** Windows are of the connection that there is. */
    private NdStatus checkWindowRequest(int flags, int allowed, NdStatus otherFlags) {
        NdStatus unfit = checkInitiator(flags, allowed, otherFlags);
        if (!unfit.isSuccess()) {
            return unfit;
        }
        QpState state = verbs.state();
        return disconnected || state == QpState.ERR
                ? NdStatus.CONNECTION_INVALID.because(
                        "the connection of qp %d, which is in %s, has ended; Bind and Invalidate before either side disconnects",
                        verbs.number(), state)
                : NdStatus.SUCCESS;
    }

    /**
     * Binds a window. Once the request is executed the peer of this queue pair can use the window. It is executed before all requests
     * that are posted after it. {@link NdMemoryWindow#getRemoteToken()} is the new token when this returns; it does not change if this
     * fails.
     *
     * @param address first byte, in the region
     * @param lengthBytes how many bytes
     * @param flags SILENT_SUCCESS, READ_FENCE, ALLOW_READ, ALLOW_WRITE
     * @return SUCCESS, CONNECTION_INVALID, NO_MORE_ENTRIES, ACCESS_VIOLATION for ALLOW_WRITE on a region without ALLOW_LOCAL_WRITE,
     *     INVALID_PARAMETER_2 or _3 for a region or window of another adapter, INVALID_PARAMETER for bytes that are not registered,
     *     INVALID_PARAMETER_5 for none, INVALID_PARAMETER_6 for flags
     */
    public NdStatus bind(
            @Nullable Object requestContext,
            @Nullable NdMemoryRegion memoryRegion,
            @Nullable NdMemoryWindow memoryWindow,
            long address,
            long lengthBytes,
            int flags) {
        calls().begin();
        try {
            NdStatus unfit = checkWindowRequest(flags, OF_BIND, NdStatus.INVALID_PARAMETER_6);
            if (memoryRegion == null || memoryRegion.isReleased() || isForeign(memoryRegion.context())) {
                return NdStatuses.first(unfit, NdStatus.INVALID_PARAMETER_2);
            }
            if (memoryWindow == null || memoryWindow.isReleased() || isForeign(memoryWindow.context())) {
                return NdStatuses.first(unfit, NdStatus.INVALID_PARAMETER_3);
            }
            NdStatus refused = NdStatuses.first(unfit, memoryRegion.checkBind(address, lengthBytes, flags));
            if (!refused.isSuccess()) {
                return refused;
            }
            synchronized (memoryWindow) {
                if (context.profile().strictBindAtPost() && memoryWindow.willBeBound()) {
                    return NdStatus.INVALID_DEVICE_STATE;
                }
                return postBind(requestContext, memoryRegion, memoryWindow, address, lengthBytes, flags);
            }
        } finally {
            calls().end();
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same instance
    private boolean isForeign(NdContext other) {
        return other != context;
    }

    /** With the window's monitor held. */
    private NdStatus postBind(
            @Nullable Object requestContext,
            NdMemoryRegion region,
            NdMemoryWindow window,
            long address,
            long lengthBytes,
            int flags) {
        MemoryRegion under = region.verbs();
        NdMemoryWindow.Posted bind = window.next(verbs);
        BindInfo info = new BindInfo(under, address, lengthBytes, NdMemoryRegion.accessOfBind(flags));
        // Before it is posted: from that moment on it may be executed, and the region must not go.
        region.bindPosted(bind);
        NdStatus status = initiator.post(
                NdRequestType.BIND,
                requestContext,
                bind,
                flags,
                (id, sendFlags) -> SendWorkRequest.bind(id, sendFlags, window.verbs(), bind.key(), info));
        if (status.isSuccess()) {
            window.posted(bind);
        } else {
            region.bindRefused(bind);
        }
        return status;
    }

    /**
     * Revokes the access that the newest Bind of the window that was posted to this queue pair granted. Once the request is executed
     * the peer cannot use the window any more, and its accesses that are in progress fail.
     *
     * @param flags SILENT_SUCCESS, READ_FENCE
     * @return SUCCESS, CONNECTION_INVALID, NO_MORE_ENTRIES, INVALID_PARAMETER_2 for a window of another adapter, INVALID_PARAMETER_3 for
     *     flags
     */
    public NdStatus invalidate(@Nullable Object requestContext, @Nullable NdMemoryWindow memoryWindow, int flags) {
        calls().begin();
        try {
            NdStatus unfit = checkWindowRequest(flags, OF_INVALIDATE, NdStatus.INVALID_PARAMETER_3);
            if (memoryWindow == null || memoryWindow.isReleased() || isForeign(memoryWindow.context())) {
                return NdStatuses.first(unfit, NdStatus.INVALID_PARAMETER_2);
            }
            if (!unfit.isSuccess()) {
                return unfit;
            }
            synchronized (memoryWindow) {
                NdMemoryWindow.Posted bind = memoryWindow.toInvalidate(verbs);
                NdStatus status = initiator.post(
                        NdRequestType.INVALIDATE,
                        requestContext,
                        bind,
                        flags,
                        (id, sendFlags) ->
                                SendWorkRequest.localInvalidate(id, bind.key()).withFlags(sendFlags));
                if (status.isSuccess()) {
                    memoryWindow.invalidatePosted(bind);
                }
                return status;
            }
        } finally {
            calls().end();
        }
    }

    /** As an implicit Disconnect and Flush. Results that are there stay to be taken, and windows that it bound are unbound. */
    @Override
    void end() {
        disconnected = true;
        Runnable serves = onRelease.get();
        if (serves != null) {
            serves.run();
        }
        NdStatus unused = toError();
        receiveCq.keepResults();
        initiatorCq.keepResults();
        context.queuePairs().remove(verbs.number());
        context.requests().remove(requests);
        context.requests().remove(receives);
        context.closeWhenUnused(verbs::close);
        ended.accept(verbs);
    }

    @Override
    public String toString() {
        return "NdQueuePair with " + verbs;
    }
}

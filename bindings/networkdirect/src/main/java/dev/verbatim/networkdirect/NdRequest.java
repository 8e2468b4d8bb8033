// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.SendWorkRequest;
import org.jspecify.annotations.Nullable;

/** What an outstanding request was, and what its result gives back. One object for each slot of a queue, used again and again. */
final class NdRequest {

    private final boolean isShared;
    private final @Nullable Object queuePairContext;
    private NdRequestType type = NdRequestType.RECEIVE;
    private @Nullable Object context;
    private NdMemoryWindow.@Nullable Posted bind;
    private boolean isSilent;
    private boolean readsForbidden;
    private SendWorkRequest.@Nullable Refillable workRequest;

    private NdRequest(boolean isShared, @Nullable Object queuePairContext) {
        this.isShared = isShared;
        this.queuePairContext = queuePairContext;
    }

    /** A request of a queue pair. */
    static NdRequest of(@Nullable Object queuePairContext) {
        return new NdRequest(false, queuePairContext);
    }

    /** A receive of a shared queue. */
    static NdRequest shared() {
        return new NdRequest(true, null);
    }

    /** A receive is outstanding. */
    void receive(@Nullable Object newContext) {
        context = newContext;
    }

    /**
     * A request of an initiator is outstanding.
     *
     * @param newBind that it is, or that it invalidates
     * @param silent whether its success gives no result
     * @param forbidden whether the queue pair has an outbound Read limit of 0
     */
    void initiate(
            NdRequestType newType,
            @Nullable Object newContext,
            NdMemoryWindow.@Nullable Posted newBind,
            boolean silent,
            boolean forbidden) {
        type = newType;
        context = newContext;
        bind = newBind;
        isSilent = silent;
        readsForbidden = forbidden;
    }

    /** Refers to nothing any more. */
    void clear() {
        context = null;
        bind = null;
    }

    /** Whether the completion says which queue pair took it. */
    boolean isShared() {
        return isShared;
    }

    @Nullable
    Object queuePairContext() {
        return queuePairContext;
    }

    NdRequestType type() {
        return type;
    }

    @Nullable
    Object context() {
        return context;
    }

    /** The Bind that it is, or that it invalidates. */
    NdMemoryWindow.@Nullable Posted bind() {
        return bind;
    }

    /** Whether its success gives no result. */
    boolean isSilent() {
        return isSilent;
    }

    /** Whether the queue pair has an outbound Read limit of 0. */
    boolean readsForbidden() {
        return readsForbidden;
    }

    /** A work request that is its own as long as it is outstanding. */
    SendWorkRequest.Refillable workRequest(int mostElements) {
        SendWorkRequest.Refillable known = workRequest;
        if (known == null) {
            known = new SendWorkRequest.Refillable(mostElements);
            workRequest = known;
        }
        return known;
    }
}

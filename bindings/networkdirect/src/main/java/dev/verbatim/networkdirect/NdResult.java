// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/** A completion ({@code ND2_RESULT}): a holder that {@link NdCompletionQueue#getResults} fills, again and again. */
public final class NdResult {

    private NdStatus status = NdStatus.SUCCESS;
    private int bytesTransferred;
    private @Nullable Object queuePairContext;
    private @Nullable Object requestContext;
    private NdRequestType requestType = NdRequestType.RECEIVE;
    private WcStatus vendorStatus = WcStatus.SUCCESS;
    private @Nullable Refusal refusal;

    /** So many fresh holders. */
    public static NdResult[] array(int count) {
        NdResult[] results = new NdResult[count];
        for (int i = 0; i < count; i++) {
            results[i] = new NdResult();
        }
        return results;
    }

    void fill(
            NdStatus newStatus,
            int bytes,
            @Nullable Object ofQueuePair,
            @Nullable Object ofRequest,
            NdRequestType type,
            WcStatus vendor,
            @Nullable Refusal why) {
        status = newStatus;
        bytesTransferred = bytes;
        queuePairContext = ofQueuePair;
        requestContext = ofRequest;
        requestType = type;
        vendorStatus = vendor;
        refusal = why;
    }

    void copyTo(NdResult other) {
        other.fill(status, bytesTransferred, queuePairContext, requestContext, requestType, vendorStatus, refusal);
    }

    /** The status of the request. */
    public NdStatus status() {
        return status;
    }

    /** Bytes received; of no meaning for other requests. */
    public int bytesTransferred() {
        return bytesTransferred;
    }

    /** The context that {@link NdAdapter#createQueuePair} was called with. */
    public @Nullable Object queuePairContext() {
        return queuePairContext;
    }

    /** The context that the request was posted with. */
    public @Nullable Object requestContext() {
        return requestContext;
    }

    /** Which request it was. */
    public NdRequestType requestType() {
        return requestType;
    }

    /**
     * The status of the device's completion, before translation. It distinguishes local from remote errors where both are
     * ACCESS_VIOLATION. Not part of NetworkDirect.
     */
    public WcStatus vendorStatus() {
        return vendorStatus;
    }

    /** Why the request failed, with the id of the rule; empty on success. Not part of NetworkDirect. */
    public String explanation() {
        return refusal == null ? "" : refusal.toString();
    }

    @Override
    public String toString() {
        String outcome = requestType + " " + status + " bytes=" + bytesTransferred + " context=" + requestContext;
        return refusal == null ? outcome : outcome + ": " + refusal;
    }
}

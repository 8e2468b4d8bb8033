// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.function.Consumer;

/**
 * Selects among behaviours that the documentation permits, or that were observed. {@link #REFERENCE} behaves as Microsoft's tests assert
 * and its provider does, and otherwise as documented; {@link #DOCUMENTED} behaves as documented. Each method with a parameter returns a
 * changed copy.
 *
 * @param statuses whose statuses are used where documentation and reference disagree
 * @param allowBindWithoutRights whether Bind accepts neither ALLOW_READ nor ALLOW_WRITE; else INVALID_PARAMETER_6
 * @param strictBindAtPost whether Bind returns INVALID_DEVICE_STATE for a window that is bound, or will be by requests that were posted
 *     before; else the request completes with INVALID_DEVICE_REQUEST
 * @param emptyBindRefusedAtPost whether Bind refuses a length of 0 at once with INVALID_PARAMETER_5; else the request fails
 * @param flushOnPeerDisconnect whether posted receives are cancelled, after the notice, when the peer disconnects
 * @param autoDrep whether a disconnect by the peer is confirmed automatically
 * @param padPrivateData whether private data has the full length of its field, padded with zeros
 * @param readLimitsAfterAccept whether GetReadLimits works while connected; else INVALID_DEVICE_STATE
 * @param mrAlwaysPends whether Register and Deregister return PENDING although they are complete, so that each is delivered
 * @param silentSlotReclaim when the slot of a silent request is free again
 * @param plainRnrRetry RNR retries of a queue pair with receives of its own, 0 to 7; 7 means no limit
 * @param srqRnrRetry RNR retries towards a queue pair with a shared receive queue
 * @param iwarpMode whether RDMA_READ_SINK lets peers write, and the active side has to send first, as iWARP needs
 * @param keyWrap whether the 256th Bind of a window gives a token again; else the window gets a new index then
 * @param inOrderDma whether the adapter says IN_ORDER_DMA_SUPPORTED
 */
public record NdProfile(
        Statuses statuses,
        boolean allowBindWithoutRights,
        boolean strictBindAtPost,
        boolean emptyBindRefusedAtPost,
        boolean flushOnPeerDisconnect,
        boolean autoDrep,
        boolean padPrivateData,
        boolean readLimitsAfterAccept,
        boolean mrAlwaysPends,
        SilentSlotReclaim silentSlotReclaim,
        int plainRnrRetry,
        int srqRnrRetry,
        boolean iwarpMode,
        boolean keyWrap,
        boolean inOrderDma) {

    /** Whose statuses. */
    public enum Statuses {
        /** Those of Microsoft's tests and provider. */
        REFERENCE,

        /** Those of the documentation. */
        DOCUMENTED
    }

    /** When the slot of a silent request that succeeded is free again. */
    public enum SilentSlotReclaim {
        /** When it has been executed. */
        ON_EXECUTION,

        /** When a result of a later request of the same queue has been taken, as on real adapters. */
        ON_LATER_COMPLETION
    }

    private static final int FOR_EVER = 7;

    /** What Microsoft's tests assert. */
    public static final NdProfile REFERENCE = new NdProfile(
            Statuses.REFERENCE,
            true,
            false,
            true,
            true,
            true,
            true,
            true,
            true,
            SilentSlotReclaim.ON_LATER_COMPLETION,
            0,
            FOR_EVER,
            false,
            true,
            true);

    /** What the documentation says. */
    public static final NdProfile DOCUMENTED = REFERENCE
            .withStatuses(Statuses.DOCUMENTED)
            .withAllowBindWithoutRights(false)
            .withReadLimitsAfterAccept(false);

    /** Checks the retry counts. */
    public NdProfile {
        if (plainRnrRetry < 0 || plainRnrRetry > FOR_EVER || srqRnrRetry < 0 || srqRnrRetry > FOR_EVER) {
            throw new IllegalArgumentException(
                    "rnrRetry=" + plainRnrRetry + "," + srqRnrRetry + " must each be in 0.." + FOR_EVER);
        }
    }

    private NdProfile with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new NdProfile(
                draft.statuses,
                draft.allowBindWithoutRights,
                draft.strictBindAtPost,
                draft.emptyBindRefusedAtPost,
                draft.flushOnPeerDisconnect,
                draft.autoDrep,
                draft.padPrivateData,
                draft.readLimitsAfterAccept,
                draft.mrAlwaysPends,
                draft.silentSlotReclaim,
                draft.plainRnrRetry,
                draft.srqRnrRetry,
                draft.iwarpMode,
                draft.keyWrap,
                draft.inOrderDma);
    }

    /** The same with another {@link #statuses()}. */
    public NdProfile withStatuses(Statuses value) {
        return with(draft -> draft.statuses = value);
    }

    /** The same with another {@link #allowBindWithoutRights()}. */
    public NdProfile withAllowBindWithoutRights(boolean value) {
        return with(draft -> draft.allowBindWithoutRights = value);
    }

    /** The same with another {@link #strictBindAtPost()}. */
    public NdProfile withStrictBindAtPost(boolean value) {
        return with(draft -> draft.strictBindAtPost = value);
    }

    /** The same with another {@link #emptyBindRefusedAtPost()}. */
    public NdProfile withEmptyBindRefusedAtPost(boolean value) {
        return with(draft -> draft.emptyBindRefusedAtPost = value);
    }

    /** The same with another {@link #flushOnPeerDisconnect()}. */
    public NdProfile withFlushOnPeerDisconnect(boolean value) {
        return with(draft -> draft.flushOnPeerDisconnect = value);
    }

    /** The same with another {@link #autoDrep()}. */
    public NdProfile withAutoDrep(boolean value) {
        return with(draft -> draft.autoDrep = value);
    }

    /** The same with another {@link #padPrivateData()}. */
    public NdProfile withPadPrivateData(boolean value) {
        return with(draft -> draft.padPrivateData = value);
    }

    /** The same with another {@link #readLimitsAfterAccept()}. */
    public NdProfile withReadLimitsAfterAccept(boolean value) {
        return with(draft -> draft.readLimitsAfterAccept = value);
    }

    /** The same with another {@link #mrAlwaysPends()}. */
    public NdProfile withMrAlwaysPends(boolean value) {
        return with(draft -> draft.mrAlwaysPends = value);
    }

    /** The same with another {@link #silentSlotReclaim()}. */
    public NdProfile withSilentSlotReclaim(SilentSlotReclaim value) {
        return with(draft -> draft.silentSlotReclaim = value);
    }

    /** The same with another {@link #iwarpMode()}. */
    public NdProfile withIwarpMode(boolean value) {
        return with(draft -> draft.iwarpMode = value);
    }

    /** The same with another {@link #keyWrap()}. */
    public NdProfile withKeyWrap(boolean value) {
        return with(draft -> draft.keyWrap = value);
    }

    /** The same with another {@link #inOrderDma()}. */
    public NdProfile withInOrderDma(boolean value) {
        return with(draft -> draft.inOrderDma = value);
    }

    /** The same with other {@linkplain #plainRnrRetry() RNR} {@linkplain #srqRnrRetry() retries}. */
    public NdProfile withRnrRetry(int plain, int srq) {
        return with(draft -> {
            draft.plainRnrRetry = plain;
            draft.srqRnrRetry = srq;
        });
    }

    /** The values of another one, to be changed. */
    private static final class Draft {
        private Statuses statuses;
        private boolean allowBindWithoutRights;
        private boolean strictBindAtPost;
        private boolean emptyBindRefusedAtPost;
        private boolean flushOnPeerDisconnect;
        private boolean autoDrep;
        private boolean padPrivateData;
        private boolean readLimitsAfterAccept;
        private boolean mrAlwaysPends;
        private SilentSlotReclaim silentSlotReclaim;
        private int plainRnrRetry;
        private int srqRnrRetry;
        private boolean iwarpMode;
        private boolean keyWrap;
        private boolean inOrderDma;

        Draft(NdProfile from) {
            statuses = from.statuses;
            allowBindWithoutRights = from.allowBindWithoutRights;
            strictBindAtPost = from.strictBindAtPost;
            emptyBindRefusedAtPost = from.emptyBindRefusedAtPost;
            flushOnPeerDisconnect = from.flushOnPeerDisconnect;
            autoDrep = from.autoDrep;
            padPrivateData = from.padPrivateData;
            readLimitsAfterAccept = from.readLimitsAfterAccept;
            mrAlwaysPends = from.mrAlwaysPends;
            silentSlotReclaim = from.silentSlotReclaim;
            plainRnrRetry = from.plainRnrRetry;
            srqRnrRetry = from.srqRnrRetry;
            iwarpMode = from.iwarpMode;
            keyWrap = from.keyWrap;
            inOrderDma = from.inOrderDma;
        }
    }
}

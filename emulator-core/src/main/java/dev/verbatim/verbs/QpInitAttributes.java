// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Attributes for the creation of a queue pair ({@code struct ibv_qp_init_attr}).
 *
 * @param type transport service
 * @param sendCq completion queue of sends; null only for XRC_RECV
 * @param recvCq completion queue of receives, may be the same; null only for XRC_RECV and XRC_SEND
 * @param capabilities requested sizes; the granted sizes are at least as large (QP-02)
 * @param signalAll whether every send work request is signaled (WR-16)
 * @param context context object of the caller
 * @param srq where receives are taken from instead of a queue of its own (RC, UC, UD); max_recv_wr and max_recv_sge
 *     do not count then (QP-04). Null for none
 */
public record QpInitAttributes(
        QpType type,
        @Nullable CompletionQueue sendCq,
        @Nullable CompletionQueue recvCq,
        QpCapabilities capabilities,
        boolean signalAll,
        @Nullable Object context,
        @Nullable SharedReceiveQueue srq) {

    /** Attributes of a queue pair with a receive queue of its own. */
    public QpInitAttributes(
            QpType type,
            CompletionQueue sendCq,
            CompletionQueue recvCq,
            QpCapabilities capabilities,
            boolean signalAll,
            @Nullable Object context) {
        this(type, sendCq, recvCq, capabilities, signalAll, context, null);
    }

    /**
     * The completion queue of sends.
     *
     * @throws IllegalStateException if there is none: an XRC_RECV queue pair has no send completions
     */
    @Override
    public CompletionQueue sendCq() {
        return require(sendCq, "send");
    }

    /**
     * The completion queue of receives.
     *
     * @throws IllegalStateException if nowhere: those of an XRC queue pair go to the shared receive queue's
     *     (XRC-01)
     */
    @Override
    public CompletionQueue recvCq() {
        return require(recvCq, "receive");
    }

    private CompletionQueue require(@Nullable CompletionQueue cq, String what) {
        if (cq == null) {
            throw new IllegalStateException(
                    "a queue pair of type " + type + " was given no " + what + " completion queue");
        }
        return cq;
    }

    /** Whether there is one. */
    public boolean hasSendCq() {
        return sendCq != null;
    }

    /** Whether there is one. */
    public boolean hasRecvCq() {
        return recvCq != null;
    }

    /** An RC queue pair of default size with one completion queue for both directions. */
    public static QpInitAttributes rc(CompletionQueue cq) {
        return rc(cq, cq, QpCapabilities.USUAL);
    }

    /** An RC queue pair. */
    public static QpInitAttributes rc(CompletionQueue sendCq, CompletionQueue recvCq, QpCapabilities capabilities) {
        return new QpInitAttributes(QpType.RC, sendCq, recvCq, capabilities, false, null);
    }

    /** A UC queue pair. */
    public static QpInitAttributes uc(CompletionQueue sendCq, CompletionQueue recvCq, QpCapabilities capabilities) {
        return new QpInitAttributes(QpType.UC, sendCq, recvCq, capabilities, false, null);
    }

    /** A UD queue pair. */
    public static QpInitAttributes ud(CompletionQueue sendCq, CompletionQueue recvCq, QpCapabilities capabilities) {
        return new QpInitAttributes(QpType.UD, sendCq, recvCq, capabilities, false, null);
    }

    /** The sending end of an XRC connection. */
    public static QpInitAttributes xrcSend(CompletionQueue sendCq, QpCapabilities capabilities) {
        return new QpInitAttributes(QpType.XRC_SEND, sendCq, null, capabilities, false, null, null);
    }

    /** The receiving end of an XRC connection: it has no queues. */
    public static QpInitAttributes xrcReceive() {
        return new QpInitAttributes(QpType.XRC_RECV, null, null, new QpCapabilities(0, 0, 0, 0, 0), false, null, null);
    }

    /** Returns a copy with a shared receive queue. */
    public QpInitAttributes withSrq(SharedReceiveQueue shared) {
        return new QpInitAttributes(type, sendCq, recvCq, capabilities, signalAll, context, shared);
    }

    /** Returns a copy with other sizes. */
    public QpInitAttributes withCapabilities(QpCapabilities sizes) {
        return new QpInitAttributes(type, sendCq, recvCq, sizes, signalAll, context, srq);
    }

    /** Returns a copy with a context object of the caller. */
    public QpInitAttributes withContext(Object own) {
        return new QpInitAttributes(type, sendCq, recvCq, capabilities, signalAll, own, srq);
    }

    /** Returns a copy in which every send work request is signaled. */
    public QpInitAttributes signalingAll() {
        return new QpInitAttributes(type, sendCq, recvCq, capabilities, true, context, srq);
    }
}

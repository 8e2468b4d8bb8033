// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a queue pair is created with ({@code struct ibv_qp_init_attr}).
 *
 * @param type transport service
 * @param sendCq where send completions go
 * @param recvCq where receive completions go; may be the same
 * @param capabilities sizes asked for; the granted ones are at least as large (QP-02)
 * @param signalAll whether every send work request is signaled (WR-16)
 * @param context the caller's own object
 */
public record QpInitAttributes(
        QpType type,
        CompletionQueue sendCq,
        CompletionQueue recvCq,
        QpCapabilities capabilities,
        boolean signalAll,
        @Nullable Object context) {

    /** An RC queue pair of usual size with one completion queue for both directions. */
    public static QpInitAttributes rc(CompletionQueue cq) {
        return rc(cq, cq, QpCapabilities.USUAL);
    }

    /** An RC queue pair. */
    public static QpInitAttributes rc(CompletionQueue sendCq, CompletionQueue recvCq, QpCapabilities capabilities) {
        return new QpInitAttributes(QpType.RC, sendCq, recvCq, capabilities, false, null);
    }

    /** The same with every send work request signaled. */
    public QpInitAttributes signalingAll() {
        return new QpInitAttributes(type, sendCq, recvCq, capabilities, true, context);
    }
}

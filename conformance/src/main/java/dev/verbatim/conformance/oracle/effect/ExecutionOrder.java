// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.effect;

import dev.verbatim.conformance.oracle.queue.MemoryAccess;
import dev.verbatim.conformance.oracle.queue.SendQueueModel;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcStatus;

/** X against everything else: requests before it, the completion of its own, the state of the queue pair. */
final class ExecutionOrder {

    private final Findings findings;
    private final Attribution attribution;

    ExecutionOrder(Findings findings, Attribution attribution) {
        this.findings = findings;
        this.attribution = attribution;
    }

    /** The first byte of a request's effect: everything before it is done, except READs (ORD-11, ORD-13). */
    void begins(MemoryAccess access, SendQueueModel asked, Request request) {
        request.executedAt = access.position();
        findings.checked(Check.EXECUTION_ORDER);
        Request before = asked.firstNotExecutedBefore(request.number);
        if (before != null) {
            findings.violated(
                    Check.EXECUTION_ORDER,
                    Text.of("%s executes %s before it executed all of %s", access.queuePair(), request, before),
                    before.startedAt,
                    before.executedAt,
                    access.position());
        }
        if (request.kind != Request.Kind.READ) {
            asked.newestEffect = Math.max(asked.newestEffect, request.number);
        }
    }

    /** The first byte of a READ: all of the READs before it were fetched (ORD-12). */
    void beginsRead(MemoryAccess access, SendQueueModel asked, Request request) {
        begins(access, asked, request);
        findings.checked(Check.READ_ORDER);
        Request before = asked.firstNotFetchedBefore(request.number);
        if (before != null) {
            findings.violated(
                    Check.READ_ORDER,
                    Text.of("%s fetches for %s before it fetched all for %s", access.queuePair(), request, before),
                    before.startedAt,
                    before.executedAt,
                    access.position());
        }
        if (asked.newestEffect > request.number) {
            attribution.note(WeakBehaviour.READ_OVERTAKEN, access, request);
        }
    }

    /** A request that was flushed may be executed yet, since its packets are under way; one that succeeded was before. */
    void checkNotCompleted(MemoryAccess access, Request request) {
        findings.checked(Check.COMPLETION_AFTER_EFFECT);
        if (access.queuePair().isUnreliable()) {
            return; // Its sender was done with it when it was sent.
        }
        if (request.status == WcStatus.SUCCESS) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s executes %s after it completed with success", access.queuePair(), request),
                    request.completedAt,
                    access.position());
        } else if (request.isCompleted()) {
            attribution.note(WeakBehaviour.EXECUTED_BUT_FAILED, access, request);
        }
    }

    /** A queue pair in ERR executes nothing; it may still answer READs that it accepted before. */
    void checkState(MemoryAccess access, Request request) {
        findings.checked(Check.EFFECT_AFTER_ERROR);
        if (access.queuePair().state() == QpState.ERR) {
            findings.violated(
                    Check.EFFECT_AFTER_ERROR,
                    Text.of("%s executes %s in state ERR", access.queuePair(), request),
                    access.queuePair().stateSince(),
                    access.position());
        }
    }
}

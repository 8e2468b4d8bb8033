// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.key.KeyLife;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** The completions of a send queue, held against its requests: C of the ordering model. */
public final class SendCompletions {

    private final SendQueueModel queue;
    private final Findings findings;
    private final FirstFailures firstFailures;
    private long next;
    private long failedAt = -1;

    SendCompletions(SendQueueModel queue, Findings findings) {
        this.queue = queue;
        this.findings = findings;
        this.firstFailures = new FirstFailures(queue);
    }

    /** Takes a completion; returns the request that completes, or null if none can, or it is not clear yet which. */
    @Nullable
    public Request completed(Completed event, long position) {
        findings.checked(Check.ONE_COMPLETION);
        skipCompleted();
        boolean success = event.status() == WcStatus.SUCCESS;
        if (!firstFailures.isEmpty()) {
            if (!success && firstFailures.take(event, position)) {
                settleIfClear();
                return null;
            }
            settle();
        } else if (!success && failedAt < 0 && firstFailures.begin(event, position, next)) {
            return null;
        }
        return complete(event, position, find(event.workRequestId(), success));
    }

    private void settleIfClear() {
        if (firstFailures.isClear()) {
            settle();
        }
    }

    /** Judges the failures of which it was not clear where they begin. */
    void settle() {
        long number = firstFailures.first();
        for (FirstFailures.Failure failure : firstFailures.drain()) {
            complete(failure.event(), failure.position(), number++);
        }
    }

    private @Nullable Request complete(Completed event, long position, long number) {
        if (number < 0) {
            findings.violated(
                    Check.ONE_COMPLETION,
                    Text.of(
                            "%s completes wr_id=%d with %s, which awaits no completion",
                            queue.queuePair, event.workRequestId(), event.status()),
                    earlier(event.workRequestId()),
                    position);
            return null;
        }
        Request request = queue.window().at(number);
        checkOrder(request, position);
        if (event.status() == WcStatus.SUCCESS) {
            checkSuccess(request, event, position);
        } else {
            checkFailure(request, event, position);
        }
        request.completedAt = position;
        request.status = event.status();
        skipCompleted();
        queue.completedBefore(next);
        return request;
    }

    private void skipCompleted() {
        next = Math.max(next, queue.window().oldest());
        while (next < queue.window().end() && queue.window().at(next).isCompleted()) {
            next++;
        }
    }

    /** The request that such a completion can be of: the next that has one, or else any with that id. */
    private long find(long id, boolean success) {
        for (long number = next; number < queue.window().end(); number++) {
            Request request = queue.window().at(number);
            if (!request.isCompleted() && request.posted.id() == id && (request.signaled || !success)) {
                return number;
            }
        }
        return -1;
    }

    private long earlier(long id) {
        for (long number = queue.window().end() - 1; number >= queue.window().oldest(); number--) {
            Request request = queue.window().at(number);
            if (request.posted.id() == id) {
                return request.isCompleted() ? request.completedAt : request.postedAt;
            }
        }
        return -1;
    }

    /** Those before it have completed, or succeeded and have no completion. */
    private void checkOrder(Request request, long position) {
        findings.checked(Check.COMPLETION_ORDER);
        for (long number = next; number < request.number; number++) {
            Request before = queue.window().at(number);
            if (before.isCompleted()) {
                continue;
            }
            if (before.signaled || failedAt >= 0) {
                findings.violated(
                        Check.COMPLETION_ORDER,
                        Text.of("%s: %s completes before %s", queue.queuePair, request, before),
                        before.postedAt,
                        request.postedAt,
                        position);
                continue;
            }
            checkDone(before, Check.COMPLETION_ORDER, request, position);
            before.completedAt = position;
            before.status = WcStatus.SUCCESS;
            checkRevoked(before, position);
        }
    }

    /** Its effects were seen: X at the responder, L here. */
    private void checkDone(Request request, Check check, Request completing, long position) {
        if (request.kind == Request.Kind.LOCAL) {
            if (!queue.hasTakenEffect(request)) {
                notDone(request, check, completing, "it has not taken effect", position);
            }
        } else if (!request.isLanded()) {
            notDone(request, check, completing, "its result has not landed", position);
        } else if (queue.queuePair.isUnreliable()) {
            // It implies that the device has read the source, and nothing about the peer.
            findings.checked(check);
        } else if (queue.queuePair.peer() == null) {
            findings.notJudged(Gap.PEER_NOT_TRACED);
        } else if (!request.judged) {
            findings.notJudged(Gap.PEER_WAS_RESET);
        } else if (!request.isExecuted()) {
            notDone(request, check, completing, "it was not executed in full", position);
        }
    }

    private void notDone(Request request, Check check, Request completing, String why, long position) {
        findings.violated(
                check,
                completing.number == request.number
                        ? Text.of("%s: %s completes with success, but %s", queue.queuePair, request, why)
                        : Text.of(
                                "%s: %s completes, so %s before it succeeded, but %s",
                                queue.queuePair, completing, request, why),
                request.postedAt,
                request.startedAt,
                request.executedAt,
                position);
    }

    /** What it revoked is known to be so from now on. */
    private void checkRevoked(Request request, long position) {
        KeyLife revoked = request.revoked;
        if (revoked != null && request.kind == Request.Kind.LOCAL) {
            DeviceModel device = queue.queuePair.device();
            device.keyUse().closed(revoked, request, position);
        }
    }

    private void checkSuccess(Request request, Completed event, long position) {
        if (failedAt >= 0) {
            findings.violated(
                    Check.COMPLETION_ORDER,
                    Text.of("%s: %s succeeds after a request before it failed", queue.queuePair, request),
                    failedAt,
                    position);
        }
        findings.checked(Check.COMPLETION_AFTER_EFFECT);
        checkDone(request, Check.COMPLETION_AFTER_EFFECT, request, position);
        checkRevoked(request, position);
        if (request.hasResult()) {
            queue.queuePair.checkVisible(true, request, "completes", position);
        }
        QueuePairModel peer = queue.queuePair.peer();
        // A READ of nothing too: programs use it to push what is before it.
        if (request.kind == Request.Kind.READ && peer != null && request.judged && !request.ofSeveralViews) {
            peer.checkVisible(false, request, "completes", position);
        }
        if (request.kind == Request.Kind.FLUSH && peer != null && request.judged) {
            peer.checkFlushed(request, position);
        }
        findings.checked(Check.COMPLETION_FIELDS);
        WcOpcode opcode = switch (request.kind) {
            case SEND -> WcOpcode.SEND;
            case WRITE ->
                request.posted.opcode() == WrOpcode.ATOMIC_WRITE ? WcOpcode.ATOMIC_WRITE : WcOpcode.RDMA_WRITE;
            case FLUSH -> WcOpcode.FLUSH;
            case READ -> WcOpcode.RDMA_READ;
            case ATOMIC -> event.opcode();
            case LOCAL -> request.posted.opcode() == WrOpcode.BIND_MW ? WcOpcode.BIND_MW : WcOpcode.LOCAL_INV;
        };
        if (event.opcode() != opcode || (request.hasResult() && !isLengthOf(request, event.byteLength()))) {
            findings.violated(
                    Check.COMPLETION_FIELDS,
                    Text.of(
                            "%s: %s completes as %s byte_len=%d",
                            queue.queuePair, request, event.opcode(), event.byteLength()),
                    request.postedAt,
                    position);
        }
        if (queue.newestEffect > request.number) {
            findings.seen(WeakBehaviour.LATE_COMPLETION);
            if (findings.wantsExample(WeakBehaviour.LATE_COMPLETION)) {
                findings.example(
                        WeakBehaviour.LATE_COMPLETION,
                        Text.of("#%d: %s of %s, with a later one executed", position, request, queue.queuePair));
            }
        }
    }

    private void checkFailure(Request request, Completed event, long position) {
        findings.checked(Check.ERROR_STATE);
        if (!queue.queuePair.life().isStopped()) {
            findings.violated(
                    Check.ERROR_STATE,
                    Text.of(
                            "%s: %s completes with %s in state %s",
                            queue.queuePair, request, event.status(), queue.queuePair.state()),
                    queue.queuePair.stateSince(),
                    position);
        }
        findings.checked(Check.FLUSH);
        if (failedAt >= 0 && event.status() != WcStatus.WR_FLUSH_ERR) {
            findings.violated(
                    Check.FLUSH,
                    Text.of(
                            "%s: %s completes with %s after an earlier error",
                            queue.queuePair, request, event.status()),
                    failedAt,
                    position);
        }
        failedAt = failedAt < 0 ? position : failedAt;
        if (request.kind == Request.Kind.LOCAL) {
            checkLocalFailure(request, event, position);
        } else if (request.lengthBytes > 0 && request.isStarted() && request.isExecuted()) {
            note(WeakBehaviour.EXECUTED_BUT_FAILED, request, event, position);
        } else if (request.kind != Request.Kind.READ && request.executed.hasBegun()) {
            note(WeakBehaviour.PREFIX_PLACED, request, event, position);
        }
    }

    /** A bind or LOCAL_INV that fails changed nothing; one that was flushed may have been done before (N8). */
    private void checkLocalFailure(Request request, Completed event, long position) {
        findings.checked(Check.FAILURE_WITHOUT_EFFECT);
        if (request.posted.opcode() == WrOpcode.BIND_MW) {
            queue.queuePair.device().windows().failed(request.posted);
        }
        if (request.isExecuted() && event.status() == WcStatus.WR_FLUSH_ERR) {
            note(WeakBehaviour.EXECUTED_BUT_FAILED, request, event, position);
        } else if (request.isExecuted()) {
            findings.violated(
                    Check.FAILURE_WITHOUT_EFFECT,
                    Text.of("%s: %s completes with %s, but took effect", queue.queuePair, request, event.status()),
                    request.executedAt,
                    position);
        }
    }

    private void note(WeakBehaviour behaviour, Request request, Completed event, long position) {
        findings.seen(behaviour);
        if (findings.wantsExample(behaviour)) {
            findings.example(
                    behaviour,
                    Text.of("#%d: %s of %s completes with %s", position, request, queue.queuePair, event.status()));
        }
    }

    /** The queue pair left SQE: what was posted before is flushed, and what comes now begins anew. */
    void recovered() {
        failedAt = -1;
    }

    /** The run is over: what is to have a completion has one, and what has none succeeded. */
    void atEnd(Findings verdict) {
        skipCompleted();
        if (queue.queuePair.state() != QpState.ERR && queue.queuePair.state() != QpState.RTS) {
            return;
        }
        for (long number = next; number < queue.window().end(); number++) {
            Request request = queue.window().at(number);
            verdict.checked(Check.ONE_COMPLETION);
            boolean known = queue.queuePair.peer() != null && request.judged && !queue.queuePair.isUnreliable();
            boolean done = request.isLanded() && (request.isExecuted() || !known);
            if (!request.isCompleted() && (request.signaled || !done)) {
                verdict.violated(
                        Check.ONE_COMPLETION,
                        Text.of("%s: %s never completed", queue.queuePair, request),
                        request.postedAt);
            }
        }
    }

    /** What came back; or, of an atomic where a device takes more room for it and says so, that room ({@code senderByteLength}). */
    private static boolean isLengthOf(Request request, int byteLength) {
        return byteLength == (int) request.lengthBytes
                || (request.kind == Request.Kind.ATOMIC && byteLength == (int) request.posted.lengthBytes());
    }
}

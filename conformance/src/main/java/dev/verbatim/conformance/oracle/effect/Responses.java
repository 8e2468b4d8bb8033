// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.effect;

import dev.verbatim.conformance.oracle.queue.QueuePairModel;
import dev.verbatim.conformance.oracle.queue.SendQueueModel;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.trace.TraceEvent.PacketSent;

/** What responders send back: in the order of the requests, and nothing before it is true. */
public final class Responses {

    private static final int POSITIVE = 0x00;
    private static final int NOT_READY = 0x20;
    private static final int NEGATIVE = 0x60;
    private static final int KIND_MASK = 0xe0;

    private final Findings findings;

    public Responses(Findings findings) {
        this.findings = findings;
    }

    /** A packet leaves a queue pair. */
    public void sent(QueuePairModel queuePair, PacketSent event, long position) {
        if (!event.isResponse()) {
            return;
        }
        SendQueueModel asked = queuePair.asked();
        if (asked == null) {
            findings.notJudged(Gap.PEER_NOT_TRACED);
            return;
        }
        boolean isReply = event.opcodeName().equals("ACKNOWLEDGE");
        int kind = event.syndrome() < 0 ? POSITIVE : event.syndrome() & KIND_MASK;
        if (kind == NOT_READY) {
            findings.seen(WeakBehaviour.RECEIVER_NOT_READY);
            if (findings.wantsExample(WeakBehaviour.RECEIVER_NOT_READY)) {
                findings.example(
                        WeakBehaviour.RECEIVER_NOT_READY,
                        Text.of("#%d: %s at psn=%d", position, queuePair, event.psn()));
            }
        }
        Request request = asked.find(event.psn());
        if (request == null) {
            // Of the request after the newest, which a responder waits for.
            if (asked.isAhead(event.psn()) && (kind == NEGATIVE || kind == NOT_READY)) {
                return;
            }
            findings.notJudged(Gap.FORGOTTEN);
            return;
        }
        if (!request.judged) {
            findings.notJudged(Gap.PEER_WAS_RESET);
            return;
        }
        boolean acknowledges = isReply && kind == POSITIVE;
        checkExecuted(queuePair, asked, request, acknowledges, event, position);
        checkAnswered(queuePair, asked, request, event, position);
        if (!isReply) {
            request.responded.finish((int) (asked.extend(event.psn()) - request.firstPsn));
        }
        if (kind == POSITIVE) {
            noteCoalescing(queuePair, asked, request, event, position);
        }
    }

    /** Everything before the packet was executed, and with an ACK the packet too. */
    private void checkExecuted(
            QueuePairModel queuePair,
            SendQueueModel asked,
            Request request,
            boolean acknowledges,
            PacketSent event,
            long position) {
        findings.checked(Check.ACKNOWLEDGED_EXECUTED);
        Request missing = asked.firstNotExecutedBefore(request.number);
        if (missing == null && acknowledges && !request.hasResult() && request.lengthBytes > 0) {
            int packet = (int) (asked.extend(event.psn()) - request.firstPsn);
            missing = request.executed.contiguous() > packet ? null : request;
        }
        if (missing != null) {
            findings.violated(
                    Check.ACKNOWLEDGED_EXECUTED,
                    Text.of(
                            "%s sends %s psn=%d before it executed %s",
                            queuePair, event.opcodeName(), event.psn(), missing),
                    missing.startedAt,
                    missing.executedAt,
                    position);
        }
    }

    private void checkAnswered(
            QueuePairModel queuePair, SendQueueModel asked, Request request, PacketSent event, long position) {
        findings.checked(Check.RESPONSE_ORDER);
        Request before = asked.firstNotAnsweredBefore(request.number);
        if (before != null) {
            findings.violated(
                    Check.RESPONSE_ORDER,
                    Text.of(
                            "%s sends %s psn=%d (%s) before it answered %s in full",
                            queuePair, event.opcodeName(), event.psn(), request, before),
                    before.startedAt,
                    before.executedAt,
                    position);
        }
    }

    /** Whether earlier messages have no answer but this one. */
    private void noteCoalescing(
            QueuePairModel queuePair, SendQueueModel asked, Request request, PacketSent event, long position) {
        boolean several = false;
        for (long number = Math.max(asked.acknowledged + 1, asked.window().oldest());
                number < request.number && !several;
                number++) {
            Request before = asked.window().at(number);
            several = !before.hasResult() && before.kind != Request.Kind.LOCAL;
        }
        if (several) {
            findings.seen(WeakBehaviour.COALESCED_ACK);
            if (findings.wantsExample(WeakBehaviour.COALESCED_ACK)) {
                findings.example(
                        WeakBehaviour.COALESCED_ACK,
                        Text.of(
                                "#%d: %s of %s answers psn=%d and messages before it",
                                position, event.opcodeName(), queuePair, event.psn()));
            }
        }
        asked.acknowledged = Math.max(asked.acknowledged, request.number);
    }
}

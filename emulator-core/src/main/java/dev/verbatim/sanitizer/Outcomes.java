// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Of a completion queue: which statuses programs looked at (S7). What was flushed counts as seen: its cause is told elsewhere. */
final class Outcomes {

    private static final int MOST_FAILURES = 64;

    /** A completion that failed. */
    record Failure(@Nullable QpWatch queuePair, long id, WcStatus status, CallSite site) {

        /** In a sentence, without the place. */
        @Override
        public String toString() {
            return "the completion wr_id=" + id + " " + status + " of "
                    + (queuePair == null ? "a queue pair that is gone" : queuePair.toString());
        }
    }

    private final AtomicLong seen = new AtomicLong();
    private long succeeded;
    private CallSite first = CallSite.UNKNOWN;
    private boolean hasFirst;

    /** Those that were polled. */
    private final Set<Failure> unseen = new LinkedHashSet<>();

    /** Those that were not. */
    private final List<Failure> waiting = new ArrayList<>();

    boolean isFirst() {
        return !hasFirst;
    }

    /** A program polled for the first time. */
    void began(CallSite site) {
        hasFirst = true;
        first = site;
    }

    void polled(boolean success) {
        if (success) {
            succeeded++;
        }
    }

    void seen() {
        seen.incrementAndGet();
    }

    /** A request failed, and not because the queue is flushed. */
    void fails(Request request, WcStatus status) {
        if (waiting.size() < MOST_FAILURES) {
            waiting.add(new Failure(request.queuePair, request.id, status, request.site));
        }
    }

    /** Its completion was polled there. */
    Failure failed(@Nullable QpWatch queuePair, long id, WcStatus status, CallSite site) {
        Iterator<Failure> each = waiting.iterator();
        while (each.hasNext()) {
            Failure failure = each.next();
            if (failure.id == id && (queuePair == null || failure.queuePair == queuePair)) {
                each.remove();
                break;
            }
        }
        Failure failure = new Failure(queuePair, id, status, site);
        if (unseen.size() < MOST_FAILURES) {
            unseen.add(failure);
        }
        return failure;
    }

    void seen(Failure failure) {
        unseen.remove(failure);
    }

    /** The device is closed: reports once what was not looked at. */
    void end(CqWatch cq, Findings findings) {
        for (Failure each : unseen) {
            report(cq, findings, each.site, each + " was polled and its status never looked at");
        }
        for (Failure each : waiting) {
            report(cq, findings, each.site, each + " was never polled");
        }
        long missed = succeeded - seen.get();
        if (missed > 0) {
            report(
                    cq,
                    findings,
                    first,
                    "the status of " + missed + " of " + succeeded + " successful completions of " + cq
                            + " was never looked at");
        }
        unseen.clear();
        waiting.clear();
        seen.set(succeeded);
    }

    private static void report(CqWatch cq, Findings findings, CallSite site, String sentence) {
        findings.report(Finding.at(Mistake.S7, cq.toString(), List.of(site), sentence));
    }
}

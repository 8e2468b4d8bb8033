// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.trace.TraceEvent.Completed;
import java.util.ArrayList;
import java.util.List;

/**
 * The first failures of a send queue while it is not clear whose they are. Programs may give one id to several requests, and
 * unsignaled ones may have succeeded before without a word; which of them it was the failures behind tell, since nothing is
 * left out from the first on.
 */
final class FirstFailures {

    /** A completion with an error, and where it is in the trace. */
    record Failure(Completed event, long position) {}

    private final SendQueueModel queue;
    private final List<Failure> failures = new ArrayList<>();
    private List<Long> beginnings = List.of();

    FirstFailures(SendQueueModel queue) {
        this.queue = queue;
    }

    boolean isEmpty() {
        return failures.isEmpty();
    }

    /** Keeps the first failure if it can be of more than one request from {@code next} on; otherwise returns false. */
    boolean begin(Completed event, long position, long next) {
        List<Long> possible = new ArrayList<>();
        for (long number = next; number < queue.window().end(); number++) {
            Request request = queue.window().at(number);
            if (!request.isCompleted() && request.posted.id() == event.workRequestId()) {
                possible.add(number);
            }
            if (!request.isCompleted() && !mayHaveSucceededSilently(request)) {
                break;
            }
        }
        if (possible.size() < 2) {
            return false;
        }
        beginnings = possible;
        failures.add(new Failure(event, position));
        return true;
    }

    private boolean mayHaveSucceededSilently(Request request) {
        boolean executed = request.isExecuted() || queue.queuePair.peer() == null || !request.judged;
        return !request.signaled && request.isStarted() && request.isLanded() && executed;
    }

    /** Takes the next failure if it fits any of the possible beginnings; otherwise returns false. */
    boolean take(Completed event, long position) {
        List<Long> possible = new ArrayList<>();
        for (long beginning : beginnings) {
            long number = beginning + failures.size();
            if (number < queue.window().end()
                    && queue.window().at(number).posted.id() == event.workRequestId()) {
                possible.add(beginning);
            }
        }
        if (possible.isEmpty()) {
            return false;
        }
        beginnings = possible;
        failures.add(new Failure(event, position));
        return true;
    }

    /** Whether only one beginning is left. */
    boolean isClear() {
        return beginnings.size() == 1;
    }

    /** Number of the request that the first of them is of, as far as one can know; -1 if there are none. */
    long first() {
        return beginnings.isEmpty() ? -1 : beginnings.get(0);
    }

    /** All of them, which are forgotten. */
    List<Failure> drain() {
        List<Failure> all = List.copyOf(failures);
        failures.clear();
        beginnings = List.of();
        return all;
    }
}

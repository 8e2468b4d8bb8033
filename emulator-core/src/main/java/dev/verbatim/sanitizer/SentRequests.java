// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The last requests of an unreliable queue pair that were polled: they may be still on their way (UC-01). */
final class SentRequests {

    private static final int MOST = 64;

    private final ArrayDeque<Request> requests = new ArrayDeque<>();

    void add(Request request) {
        requests.addLast(request);
        if (requests.size() > MOST) {
            requests.removeFirst();
        }
    }

    @Nullable
    Request withPsn(int psn) {
        for (Request request : requests) {
            if (request.hasPsn(psn)) {
                return request;
            }
        }
        return null;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/** Completions that failed and went with their queue pair or queue before anybody polled them: the oldest few. On the lane. */
final class DroppedFailures {

    /** So many are kept. */
    static final int MOST = 64;

    private final List<WorkCompletion> kept = new ArrayList<>();

    void add(WorkCompletion failure) {
        if (kept.size() < MOST) {
            kept.add(failure);
        }
    }

    List<WorkCompletion> kept() {
        return kept;
    }
}

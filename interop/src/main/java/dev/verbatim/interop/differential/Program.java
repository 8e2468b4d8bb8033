// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import java.util.List;

/**
 * A random program.
 *
 * @param name seed and number, which make it again
 * @param lanes at least one
 * @param order which lane posts its next request
 */
record Program(String name, List<Lane> lanes, List<Integer> order) {

    Program {
        lanes = List.copyOf(lanes);
        order = List.copyOf(order);
    }

    /** All requests, binds of windows and requests that fail among them. */
    int operations() {
        int count = 0;
        for (Lane lane : lanes) {
            count += lane.requests().size() + (lane.windowType() > 0 ? 1 : 0);
            count += lane.ending().isFailure() ? 1 + lane.behind().size() : 0;
        }
        return count;
    }
}

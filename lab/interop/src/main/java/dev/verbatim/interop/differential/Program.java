// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import java.util.List;

/**
 * A random program.
 *
 * @param name seed and number, which make it again
 * @param flows at least one
 * @param order which flow posts its next request
 */
record Program(String name, List<Flow> flows, List<Integer> order) {

    Program {
        flows = List.copyOf(flows);
        order = List.copyOf(order);
    }

    /** All requests, binds of windows and requests that fail among them. */
    int operations() {
        int count = 0;
        for (Flow flow : flows) {
            count += flow.requests().size() + (flow.windowType() > 0 ? 1 : 0);
            count += flow.ending().isFailure() ? 1 + flow.behind().size() : 0;
        }
        return count;
    }
}

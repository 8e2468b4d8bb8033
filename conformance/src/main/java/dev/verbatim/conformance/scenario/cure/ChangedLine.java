// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.cure;

import java.util.List;

/**
 * A part of a scenario that changes.
 *
 * @param path of the step in the scenario, or of the node whose region it is
 * @param before as it is written; empty for a new region
 * @param after what stands there instead; empty if it is dropped
 */
public record ChangedLine(String path, String before, List<String> after) {

    /** Copies the list. */
    public ChangedLine {
        after = List.copyOf(after);
    }
}

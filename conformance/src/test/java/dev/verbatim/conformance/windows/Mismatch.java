// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import java.util.List;

/** Model and device do not agree. The message is the program up to there, one line for each step, and what differs. */
public final class Mismatch extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Found at the last of these steps. */
    public Mismatch(List<Step> steps, String difference, Throwable cause) {
        super(tell(steps, difference), cause);
    }

    private static String tell(List<Step> steps, String difference) {
        StringBuilder text = new StringBuilder("\n").append(Ground.DESCRIPTION);
        for (Step step : steps) {
            text.append("  ").append(step).append('\n');
        }
        return text.append("    -> ").append(difference).toString();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import org.jspecify.annotations.Nullable;

/** A run of a {@link SimulatedTest} failed; why, says the cause. */
public final class SimulatedTestFailure extends AssertionError {

    private static final long serialVersionUID = 1;

    private final String repeat;
    private final String story;

    SimulatedTestFailure(String message, String repeat, String story, @Nullable Throwable cause) {
        super(message, cause);
        this.repeat = repeat;
        this.story = story;
    }

    /** What repeats the run, within the parentheses of the annotation; empty if nothing does. */
    public String repeat() {
        return repeat;
    }

    /** What happened in it, a line for each event, the last ones where they are too many. */
    public String story() {
        return story;
    }
}

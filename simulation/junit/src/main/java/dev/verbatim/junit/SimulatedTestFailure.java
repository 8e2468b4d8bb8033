// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import org.jspecify.annotations.Nullable;

/** The failure of a run of a {@link SimulatedTest}; the cause is the exception of the test. */
public final class SimulatedTestFailure extends AssertionError {

    private static final long serialVersionUID = 1;

    private final String repeat;
    private final String story;

    SimulatedTestFailure(String message, String repeat, String story, @Nullable Throwable cause) {
        super(message, cause);
        this.repeat = repeat;
        this.story = story;
    }

    /** The arguments of the annotation that repeat the run; empty if the run cannot be repeated. */
    public String repeat() {
        return repeat;
    }

    /** The events of the run, one line per event; only the last ones if there are too many. */
    public String story() {
        return story;
    }
}

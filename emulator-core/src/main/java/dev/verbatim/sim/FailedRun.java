// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import org.jspecify.annotations.Nullable;

/** A run of an exploration threw an exception, which is the cause. */
public final class FailedRun extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient ChoiceList choices;

    private final @Nullable Long seed;

    FailedRun(ChoiceList choices, @Nullable Long seed, Throwable cause) {
        super("the run with choices " + choices + " failed: " + cause, cause);
        this.choices = choices;
        this.seed = seed;
    }

    /** The seed of the run; null if it was one of the walk. */
    public @Nullable Long seed() {
        return seed;
    }

    /** The choices of the run up to its failure; replaying them shows it again. */
    public ChoiceList choices() {
        return choices;
    }
}

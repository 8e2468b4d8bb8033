// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;

/** A run of an exploration threw an exception, which is the cause. */
public final class FailedRun extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient ChoiceList choices;

    FailedRun(ChoiceList choices, Throwable cause) {
        super("the run with choices " + choices + " failed: " + cause, cause);
        this.choices = choices;
    }

    /** The choices of the run up to its failure; replaying them shows it again. */
    public ChoiceList choices() {
        return choices;
    }
}

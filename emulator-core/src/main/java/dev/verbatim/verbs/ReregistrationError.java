// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** What {@code ibv_rereg_mr} returns if it fails ({@code enum ibv_rereg_mr_err_code}): which region is left. */
public enum ReregistrationError {
    /** An argument makes no sense: the region is as it was. */
    INPUT(-1),
    /** The new memory could not be kept from child processes: the region is as it was. Never given here, where nothing forks. */
    DONT_FORK_NEW(-2),
    /** The old memory could not be given back to child processes: the region is the new one. Never given here. */
    DO_FORK_OLD(-3),
    /** The device refused: the region must not be used any more, only closed. */
    CMD(-4),
    /** The device refused, and the new memory could not be given back to child processes. Never given here. */
    CMD_AND_DO_FORK_NEW(-5);

    private final int number;

    ReregistrationError(int number) {
        this.number = number;
    }

    /** The negative number that a C program would see. */
    public int number() {
        return number;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * Error codes of {@code ibv_rereg_mr} ({@code enum ibv_rereg_mr_err_code}), which determine the state of the region.
 */
public enum ReregistrationError {
    /** An argument is invalid: the region is unchanged. */
    INPUT(-1),
    /** The new memory could not be kept from child processes: the region is as it was. Never given here, where nothing forks. */
    DONT_FORK_NEW(-2),
    /** The old memory could not be given back to child processes: the region is the new one. Never given here. */
    DO_FORK_OLD(-3),
    /** The device refused: the region can only be closed. */
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

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import java.util.List;

/**
 * The smallest failure that was found.
 *
 * @param program the steps that are left
 * @param choices the choices that are left; {@link dev.verbatim.fabric.Choices#replayed} reproduces the failure with them
 * @param tries number of runs
 * @param isSmallest whether removing any single step or choice makes the failure disappear; false if the tries ran out before
 */
public record Shrunk<T>(List<T> program, ChoiceList choices, int tries, boolean isSmallest) {

    /** Copies the program. */
    public Shrunk {
        program = List.copyOf(program);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import java.util.List;

/**
 * A failure in its smallest form that was found.
 *
 * @param program what is left of the program
 * @param choices what is left of the choices: with {@link dev.verbatim.fabric.Choices#replayed} they show it
 * @param tries how many runs it took
 * @param isSmallest whether nothing of it can be left out by itself; false if the tries ran out before
 */
public record Shrunk<T>(List<T> program, ChoiceList choices, int tries, boolean isSmallest) {

    /** Copies the program. */
    public Shrunk {
        program = List.copyOf(program);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.function.BooleanSupplier;

/** What steps of a program wait for. Whoever makes it true comes before the step that waits for it. */
final class StepCondition {

    private final BooleanSupplier holds;
    private final String name;
    private boolean held;

    /** How often it became true. */
    private int times;

    StepCondition(BooleanSupplier holds, String name) {
        this.holds = holds;
        this.name = name;
        this.held = holds.getAsBoolean();
    }

    /** Looks whether it is true, and was not when it was looked at last. */
    boolean becomesTrue() {
        boolean wasHeld = held;
        held = holds.getAsBoolean();
        boolean becomes = held && !wasHeld;
        times += becomes ? 1 : 0;
        return becomes;
    }

    /** The present event made it true. */
    void tellEnabled(FootprintTap footprints) {
        footprints.enables(name, times, times + 1L);
    }

    /** The present event waited for it. */
    void tellAwaited(FootprintTap footprints) {
        footprints.waited(name, times, times + 1L);
    }

    @Override
    public String toString() {
        return name + (held ? ", which is so" : ", which is not so");
    }
}

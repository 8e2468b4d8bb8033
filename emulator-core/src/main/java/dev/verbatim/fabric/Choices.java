// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** Decides wherever more than one behaviour is legal; the engine never decides there by accident. */
@FunctionalInterface
public interface Choices {

    /**
     * Picks one of {@code alternatives}, counted from 0; 0 is what a simple device does.
     *
     * @param alternatives at least 1
     */
    int choose(ChoicePoint point, int alternatives);

    /** Whether anything but the first alternative may be picked there: if not, nobody needs to find the others. */
    default boolean isOpen(ChoicePoint point) {
        return true;
    }

    /** Always the first alternative. */
    static Choices canonical() {
        return CanonicalChoices.INSTANCE;
    }

    /** Draws each choice; the same seed draws the same choices on every Java version. */
    static Choices seeded(long seed) {
        return new SeededChoices(seed);
    }
}

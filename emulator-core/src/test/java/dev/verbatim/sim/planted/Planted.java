// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.planted;

import dev.verbatim.sim.Simulation;
import java.util.function.BiConsumer;

/**
 * A program with a mistake, and the same without.
 *
 * @param kind the number of the mistake in the catalogue of misuse
 * @param name what it does
 * @param programs adds the devices and programs to a simulation: with the mistake, or without
 */
record Planted(String kind, String name, BiConsumer<Simulation, Boolean> programs) {

    void broken(Simulation simulation) {
        programs.accept(simulation, true);
    }

    void mended(Simulation simulation) {
        programs.accept(simulation, false);
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}

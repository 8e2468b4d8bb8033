// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.visibility;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Observer;
import dev.verbatim.visibility.Scope;

/** A fence of the CPU, or of the GPU whose kernel it is. */
public record Fence(Scope reach) implements Step {

    /** How it is written. */
    public static StepWord<Fence> word() {
        return StepWord.ofHead(
                "fence",
                Fence.class,
                Forms.constant("a scope", Scope.class, Scope::name),
                Fence::reach,
                "SYSTEM or DEVICE: for whom the stores before it are visible behind it.",
                Fence::new);
    }

    @Override
    public void run(StepContext context) {
        MemorySystem system = context.node().memory().system();
        Observer self = context.observer();
        if (system != null && self != null) {
            system.fence(self, reach);
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.visibility;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.visibility.MemorySystem;

/** The CPU starts the kernel of a GPU, or another one behind it; what the GPU sees is refreshed. */
public record Launch(String domain) implements Step {

    /** How it is written. */
    public static StepWord<Launch> word() {
        return StepWord.ofHead(
                "launch",
                Launch.class,
                Forms.name("the name of a memory domain"),
                Launch::domain,
                "The CPU starts the kernel of that GPU; without this step it runs from the beginning.",
                Launch::new);
    }

    @Override
    public void check(NameScope scope) {
        scope.gpu("launch", domain);
    }

    @Override
    public void run(StepContext context) {
        MemorySystem system = context.node().memory().system();
        if (system != null) {
            system.launch(system.named(domain));
        }
        context.run().set(context.node().launched(domain));
    }
}

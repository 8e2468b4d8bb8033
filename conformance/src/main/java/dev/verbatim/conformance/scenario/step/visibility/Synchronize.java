// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.visibility;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.visibility.MemorySystem;

/** The CPU waits for the end of a kernel, which releases what the GPU stored. */
public record Synchronize(String domain) implements Step {

    /** How it is written. */
    public static StepWord<Synchronize> word() {
        return StepWord.ofHead(
                "synchronize",
                Synchronize.class,
                Forms.name("the name of a memory domain"),
                Synchronize::domain,
                "The CPU waits for the end of the kernel of that GPU.",
                Synchronize::new);
    }

    @Override
    public void check(NameScope scope) {
        scope.gpu("synchronize", domain);
    }

    @Override
    public boolean isReady(StepContext context) {
        return context.run().isSet(context.node().ended(domain));
    }

    @Override
    public boolean awaitsValue(StepContext context) {
        return true;
    }

    @Override
    public void run(StepContext context) {
        context.run().seen(context.node().ended(domain));
        MemorySystem system = context.node().memory().system();
        if (system != null) {
            system.synchronize(system.named(domain));
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.visibility;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.PairForm;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.visibility.FlushScope;
import dev.verbatim.visibility.MemorySystem;

/** The CPU flushes what adapters wrote into the memory of a GPU. */
public record FlushGpu(String domain, FlushScope flushScope) implements Step {

    /** How it is written. */
    public static StepWord<FlushGpu> word() {
        StepWord<FlushGpu> word = new StepWord<>("flush_gpu", FlushGpu.class);
        Key<FlushGpu, FlushGpu> head = word.head(
                new PairForm<>(
                        Forms.name("the name of a memory domain"),
                        Forms.constant("for whom", FlushScope.class, FlushScope::name),
                        FlushGpu::new,
                        FlushGpu::domain,
                        FlushGpu::flushScope),
                flush -> flush,
                "GPU: OWNER or ALL_DEVICES. The CPU flushes what adapters wrote there.");
        return word.making(values -> values.get(head));
    }

    @Override
    public void check(NameScope scope) {
        scope.gpu("flush_gpu", domain);
    }

    @Override
    public void run(StepContext context) {
        MemorySystem system = context.node().memory().system();
        if (system != null) {
            system.flushRemoteWrites(system.named(domain), flushScope);
        }
    }
}

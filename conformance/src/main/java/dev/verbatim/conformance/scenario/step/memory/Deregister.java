// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.memory;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

/** Deregisters a region. Its keys are remembered, so that programs can use them wrongly. */
public record Deregister(String region, @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<Deregister> word() {
        StepWord<Deregister> word = new StepWord<>("deregister", Deregister.class);
        Key<Deregister, String> head =
                word.head(Forms.name("the name of a region"), Deregister::region, "Deregisters the region.");
        Key<Deregister, ExpectedError> error = word.error(Deregister::error);
        return word.making(values -> new Deregister(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        Names names = scope.own();
        if (!names.isRegion(region)) {
            scope.problem(
                    "deregister",
                    "node " + names.node() + " has no region " + region + "; "
                            + NearestWord.advice(region, names.places()));
        }
    }

    @Override
    public void run(StepContext context) {
        MemoryRegion registered = context.node().memory().region(region);
        if (registered == null) {
            context.fail(region + " was never registered; register it first");
        } else {
            if (context.verb(error, registered::close)) {
                context.node().memory().closed(registered);
            }
        }
    }
}

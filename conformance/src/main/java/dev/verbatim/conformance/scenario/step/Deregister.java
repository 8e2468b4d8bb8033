// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

/**
 * Deregisters a region. Its keys are remembered, so that programs can use them wrongly.
 *
 * @param region name of the region
 * @param error how it must fail; null if it must succeed
 */
public record Deregister(String region, @Nullable Refused error) implements Step {

    static Mapping<Deregister> word() {
        Mapping<Deregister> mapping = new Mapping<>("deregister", "a deregister step");
        Key<Deregister, String> head = mapping.required(
                "deregister", Forms.name("the name of a region"), Deregister::region, "Deregisters the region.");
        Key<Deregister, Refused> error = mapping.perhaps("error", Refused.FORM, Deregister::error, "How it must fail.");
        return mapping.making(values -> new Deregister(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        Names names = scope.own();
        if (!names.isRegion(region)) {
            scope.problem(
                    "deregister",
                    "node " + names.node() + " has no region " + region + "; "
                            + NearestWord.advice(region, names.places()));
        }
    }

    @Override
    public void run(Workbench bench) {
        MemoryRegion registered = bench.lands().region(region);
        if (registered == null) {
            bench.fail(region + " was never registered; register it first");
        } else {
            if (bench.verb(error, registered::close)) {
                bench.lands().closed(registered);
            }
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.spec.WindowSpec;
import dev.verbatim.verbs.MemoryWindowType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Allocates a window, or one anew that was deallocated.
 *
 * @param name name of the window
 * @param window its type and domain
 * @param error how it must fail; null if it must succeed
 */
public record AllocateWindow(
        String name, WindowSpec window, @Nullable Refused error) implements Step {

    static Mapping<AllocateWindow> word() {
        Mapping<AllocateWindow> mapping = new Mapping<>("alloc_mw", "an alloc_mw step");
        Key<AllocateWindow, String> head = mapping.required(
                "alloc_mw", Forms.name("the name of a window"), AllocateWindow::name, "Name of the window.");
        Key<AllocateWindow, MemoryWindowType> type =
                mapping.required("type", WindowSpec.TYPE, step -> step.window.type(), "1 or 2.");
        Key<AllocateWindow, String> pd = mapping.optional(
                "pd",
                Forms.name("the name of a protection domain"),
                RegionSpec.USUAL_PD,
                step -> step.window.pd(),
                "Protection domain.");
        Key<AllocateWindow, Refused> error =
                mapping.perhaps("error", Refused.FORM, AllocateWindow::error, "How it must fail.");
        return mapping.making(values -> new AllocateWindow(
                values.get(head), new WindowSpec(values.get(type), values.get(pd)), values.orNull(error)));
    }

    @Override
    public List<String> windows() {
        return List.of(name);
    }

    @Override
    public void check(Scope scope) {
        Names names = scope.own();
        if (names.sizeOf(name) >= 0) {
            scope.problem("alloc_mw", name + " is a word or region already; name the window otherwise");
        }
        if (!names.pds().contains(window.pd())) {
            scope.problem(
                    "pd",
                    "node " + names.node() + " has no protection domain " + window.pd() + "; "
                            + NearestWord.advice(window.pd(), names.pds()));
        }
    }

    @Override
    public void run(Workbench bench) {
        bench.verb(error, () -> {
            bench.windows().allocated(name, bench.pd(window.pd()).allocateWindow(window.type()));
            bench.keysNamed();
        });
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.window;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.check.StepObjects;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.spec.WindowSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.MemoryWindowType;
import org.jspecify.annotations.Nullable;

/**
 * Allocates a window, or one anew that was deallocated.
 *
 * @param name name of the window
 * @param window its type and domain
 * @param error how it must fail; null if it must succeed
 */
public record AllocateWindow(
        String name, WindowSpec window, @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<AllocateWindow> word() {
        StepWord<AllocateWindow> word = new StepWord<>("alloc_mw", AllocateWindow.class);
        Key<AllocateWindow, String> head =
                word.head(Forms.name("the name of a window"), AllocateWindow::name, "Name of the window.");
        Key<AllocateWindow, MemoryWindowType> type =
                word.required("type", WindowSpec.TYPE, step -> step.window.type(), "1 or 2.");
        Key<AllocateWindow, String> pd = word.optional(
                "pd",
                Forms.name("the name of a protection domain"),
                RegionSpec.USUAL_PD,
                step -> step.window.pd(),
                "Protection domain.");
        Key<AllocateWindow, ExpectedError> error = word.error(AllocateWindow::error);
        return word.making(values -> new AllocateWindow(
                values.get(head), new WindowSpec(values.get(type), values.get(pd)), values.orNull(error)));
    }

    @Override
    public StepObjects makes() {
        return StepObjects.window(name);
    }

    @Override
    public void check(NameScope scope) {
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
    public void run(StepContext context) {
        context.verb(error, () -> {
            context.node()
                    .windows()
                    .allocated(name, context.node().pd(window.pd()).allocateWindow(window.type()));
            context.node().keysChanged();
        });
    }
}

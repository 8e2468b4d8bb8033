// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.window;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.MemoryWindow;
import org.jspecify.annotations.Nullable;

/** Deallocates a window, in whatever state it is. */
public record DeallocateWindow(String window, @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<DeallocateWindow> word() {
        StepWord<DeallocateWindow> word = new StepWord<>("dealloc_mw", DeallocateWindow.class);
        Key<DeallocateWindow, String> head =
                word.head(Forms.name("the name of a window"), DeallocateWindow::window, "Deallocates the window.");
        Key<DeallocateWindow, ExpectedError> error = word.error(DeallocateWindow::error);
        return word.making(values -> new DeallocateWindow(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        scope.window("dealloc_mw", window);
    }

    @Override
    public void run(StepContext context) {
        MemoryWindow allocated = context.window(window);
        if (allocated != null && context.verb(error, allocated::close)) {
            context.node().windows().closed(window);
        }
    }
}

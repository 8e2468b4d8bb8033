// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.MemoryWindow;
import org.jspecify.annotations.Nullable;

/**
 * Deallocates a window, in whatever state it is.
 *
 * @param window name of the window
 * @param error how it must fail; null if it must succeed
 */
public record DeallocateWindow(String window, @Nullable Refused error) implements Step {

    static Mapping<DeallocateWindow> word() {
        Mapping<DeallocateWindow> mapping = new Mapping<>("dealloc_mw", "a dealloc_mw step");
        Key<DeallocateWindow, String> head = mapping.required(
                "dealloc_mw", Forms.name("the name of a window"), DeallocateWindow::window, "Deallocates the window.");
        Key<DeallocateWindow, Refused> error =
                mapping.perhaps("error", Refused.FORM, DeallocateWindow::error, "How it must fail.");
        return mapping.making(values -> new DeallocateWindow(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        scope.window("dealloc_mw", window);
    }

    @Override
    public void run(Workbench bench) {
        MemoryWindow allocated = bench.window(window);
        if (allocated != null && bench.verb(error, allocated::close)) {
            bench.windows().closed(window);
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.conformance.windows.model.Binding;
import dev.verbatim.conformance.windows.model.Window;
import dev.verbatim.verbs.MemoryWindow;
import org.jspecify.annotations.Nullable;

/** What has a name such as {@code w2}. */
final class WindowSlot {

    Window model;
    MemoryWindow real;
    /** What it was bound to last, for programs that do not know that it is over. */
    @Nullable
    Binding lastBinding;

    WindowSlot(Window model, MemoryWindow real) {
        this.model = model;
        this.real = real;
    }

    /** It may have been bound. */
    void note() {
        Binding binding = model.binding();
        if (binding != null) {
            lastBinding = binding;
        }
    }
}

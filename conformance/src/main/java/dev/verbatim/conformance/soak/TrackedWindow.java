// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.soak;

import dev.verbatim.verbs.MemoryWindow;
import org.jspecify.annotations.Nullable;

/** A window, and what it was bound to last, perhaps in vain. */
final class TrackedWindow {

    private final MemoryWindow window;
    private volatile @Nullable Target target;

    TrackedWindow(MemoryWindow window) {
        this.window = window;
    }

    MemoryWindow window() {
        return window;
    }

    @Nullable
    Target target() {
        return target;
    }

    void bound(Target to) {
        target = to;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import dev.verbatim.verbs.MemoryWindow;
import org.jspecify.annotations.Nullable;

/** A window, and what it was bound to last, perhaps in vain. */
public final class TrackedWindow {

    private final MemoryWindow window;
    private volatile @Nullable Target target;

    public TrackedWindow(MemoryWindow window) {
        this.window = window;
    }

    public MemoryWindow window() {
        return window;
    }

    @Nullable
    public Target target() {
        return target;
    }

    public void bound(Target to) {
        target = to;
    }
}

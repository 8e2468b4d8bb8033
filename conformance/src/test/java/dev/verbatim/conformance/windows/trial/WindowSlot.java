// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.conformance.windows.model.Binding;
import dev.verbatim.conformance.windows.model.Window;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.WindowBinding;
import java.util.List;
import java.util.Locale;
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

    /** What the program can ask the window itself. */
    void compare(String name) {
        if (model.rkey() != real.rkey()) {
            throw new AssertionError(difference(name + " should have rkey ", model.rkey(), real.rkey()));
        }
        if (model.lastKey() != real.currentRkey()) {
            throw new AssertionError(
                    difference(name + " should have current rkey ", model.lastKey(), real.currentRkey()));
        }
        List<WindowBinding> life = model.isAllocated() ? real.life() : List.of();
        WindowBinding last = life.isEmpty() ? null : life.get(life.size() - 1);
        WindowBinding now = last == null || last.end() != null ? null : last;
        Binding binding = model.binding();
        boolean agree = now == null || binding == null
                ? now == null && binding == null
                : now.rkey() == binding.key()
                        && now.address() == binding.address()
                        && now.lengthBytes() == binding.lengthBytes()
                        && now.access() == binding.access();
        if (!agree) {
            throw new AssertionError(name + ": expected " + binding + ", device said " + now);
        }
    }

    private static String difference(String what, int expected, int actual) {
        return String.format(Locale.ROOT, "%s0x%08x, device said 0x%08x", what, expected, actual);
    }
}

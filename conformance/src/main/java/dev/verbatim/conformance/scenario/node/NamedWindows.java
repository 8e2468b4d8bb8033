// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.verbs.MemoryWindow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The memory windows of a node by name, and the keys that binds of them were posted with. */
public final class NamedWindows {

    private final Map<String, Window> byName = new LinkedHashMap<>();

    /** A window, and its keys: first that of its allocation, then one for each posted bind. They outlive it. */
    private static final class Window {

        private final MemoryWindow window;
        private final List<Integer> keys = new ArrayList<>();
        private boolean closed;

        Window(MemoryWindow window) {
            this.window = window;
            keys.add(window.rkey());
        }
    }

    public synchronized void allocated(String name, MemoryWindow window) {
        byName.put(name, new Window(window));
    }

    /** A bind was posted that gives the window this key. */
    synchronized void posted(String name, int key) {
        known(name).keys.add(key);
    }

    /** The window of that name, also if it was deallocated; null if none was ever allocated. */
    synchronized @Nullable MemoryWindow window(String name) {
        Window found = byName.get(name);
        return found == null ? null : found.window;
    }

    /** The program deallocated it. */
    public synchronized void closed(String name) {
        known(name).closed = true;
    }

    /** Deallocates what is allocated. */
    synchronized void closeAll() {
        for (Window each : byName.values()) {
            if (!each.closed) {
                each.window.close();
                each.closed = true;
            }
        }
    }

    /** The key of that posted bind, or the last one; null if there is no such bind yet. */
    synchronized @Nullable Integer key(String name, @Nullable Integer binding) {
        List<Integer> keys = known(name).keys;
        int index = binding == null ? keys.size() - 1 : binding;
        return index < keys.size() ? keys.get(index) : null;
    }

    private Window known(String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }
}

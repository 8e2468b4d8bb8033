// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Objects of one kind that a node has, by name. What was closed keeps its name, so that programs can use it wrongly. */
public final class NamedObjects<T> {

    private final String what;
    private final Consumer<T> closer;
    private final Map<String, T> byName = new LinkedHashMap<>();
    private final List<String> open = new ArrayList<>();

    NamedObjects(String what, Consumer<T> closer) {
        this.what = what;
        this.closer = closer;
    }

    public synchronized void put(String name, T thing) {
        byName.put(name, thing);
        open.add(name);
    }

    public synchronized boolean has(String name) {
        return byName.containsKey(name);
    }

    public synchronized T get(String name) {
        T thing = byName.get(name);
        if (thing == null) {
            throw new IllegalStateException(what + "=" + name + " is not there; check the scenario first");
        }
        return thing;
    }

    /** All by name, closed ones too. */
    synchronized Map<String, T> all() {
        return Collections.unmodifiableMap(byName);
    }

    /** Whether it was closed by the program. */
    public synchronized boolean isClosed(String name) {
        return !open.contains(name);
    }

    /** The program closed it. */
    public synchronized void closed(String name) {
        open.remove(name);
    }

    /** Calls the verb that closes it. */
    public void close(String name) {
        closer.accept(get(name));
    }

    /** Closes those that are left. */
    void closeAll() {
        for (String name : List.copyOf(open)) {
            close(name);
            closed(name);
        }
    }
}

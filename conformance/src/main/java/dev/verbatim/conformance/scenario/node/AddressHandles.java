// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.verbs.AddressHandle;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The address handles of a node: those with a name, and those that requests without one need. */
public final class AddressHandles {

    private final NamedObjects<AddressHandle> named = new NamedObjects<>("address handle", AddressHandle::close);
    private final Map<String, AddressHandle> unnamed = new LinkedHashMap<>();

    public NamedObjects<AddressHandle> named() {
        return named;
    }

    /** The one to that node in that protection domain, which is created if there is none. */
    public synchronized AddressHandle to(String node, String pd, Supplier<AddressHandle> create) {
        return unnamed.computeIfAbsent(node + " " + pd, key -> create.get());
    }

    synchronized void closeAll() {
        named.closeAll();
        unnamed.values().forEach(AddressHandle::close);
    }
}

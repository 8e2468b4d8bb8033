// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.conformance.scenario.spec.AhSpec;
import dev.verbatim.verbs.AddressHandle;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The address handles of a node: those with a name, and those that requests without one need. */
public final class AddressHandles {

    private final NamedObjects<AddressHandle> named = new NamedObjects<>("address handle", AddressHandle::close);
    private final Map<AhSpec, AddressHandle> unnamed = new LinkedHashMap<>();

    public NamedObjects<AddressHandle> named() {
        return named;
    }

    /** The one as specified, which is created if there is none. */
    public synchronized AddressHandle to(AhSpec spec, Supplier<AddressHandle> create) {
        return unnamed.computeIfAbsent(spec, key -> create.get());
    }

    synchronized void closeAll() {
        named.closeAll();
        unnamed.values().forEach(AddressHandle::close);
    }
}

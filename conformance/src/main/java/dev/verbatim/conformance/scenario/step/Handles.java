// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.spec.AhSpec;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The address handles of a node: those with a name, and those that requests without one need. */
final class Handles {

    private final Workbench bench;
    private final Shelf<AddressHandle> named = new Shelf<>("address handle", AddressHandle::close);
    private final Map<String, AddressHandle> unnamed = new LinkedHashMap<>();

    Handles(Workbench bench) {
        this.bench = bench;
    }

    Shelf<AddressHandle> named() {
        return named;
    }

    AddressHandle get(String name) {
        return named.get(name);
    }

    /** Makes one. */
    AddressHandle create(AhSpec spec) {
        return bench.pd(spec.pd())
                .createAddressHandle(AddressVector.to(
                        bench.board().bench(spec.node()).device().gid()));
    }

    /** One to that node, in the domain of that queue pair. */
    synchronized AddressHandle to(String node, String qp) {
        QpSpec sender = Objects.requireNonNull(bench.names().qps().get(qp), qp);
        return unnamed.computeIfAbsent(node + " " + sender.pd(), key -> create(new AhSpec(node, sender.pd())));
    }

    synchronized void closeAll() {
        named.closeAll();
        unnamed.values().forEach(AddressHandle::close);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.NearestWord;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Destroys an object that has a name: queue pair, completion queue, shared receive queue, address handle, XRC domain or
 * protection domain.
 *
 * @param name its name
 * @param error how it must fail; null if it must succeed
 */
public record Destroy(String name, @Nullable Refused error) implements Step {

    static Mapping<Destroy> word() {
        Mapping<Destroy> mapping = new Mapping<>("destroy", "a destroy step");
        Key<Destroy, String> head = mapping.required(
                "destroy",
                Forms.name("a name"),
                Destroy::name,
                "Destroys a queue pair, completion queue, shared receive queue, address handle, XRC domain or protection"
                        + " domain.");
        Key<Destroy, Refused> error = mapping.perhaps("error", Refused.FORM, Destroy::error, "How it must fail.");
        return mapping.making(values -> new Destroy(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        Names names = scope.own();
        Set<String> known = new TreeSet<>(names.qps().keySet());
        known.addAll(names.cqs().keySet());
        known.addAll(names.srqs().keySet());
        known.addAll(names.ahs().keySet());
        known.addAll(names.xrcds());
        known.addAll(names.pds());
        if (!known.contains(name)) {
            scope.problem(
                    "destroy",
                    "node " + names.node() + " has nothing of the name " + name + " that can be destroyed; "
                            + NearestWord.advice(name, known));
        }
    }

    @Override
    public void run(Workbench bench) {
        if (bench.names().qps().containsKey(name)) {
            if (bench.verb(error, () -> bench.qp(name).close())) {
                bench.outstanding().forget(name);
                bench.destroyed(name);
            }
        } else if (bench.names().cqs().containsKey(name)) {
            destroyed(bench, bench.verb(error, () -> bench.cq(name).close()));
        } else if (bench.srqs().has(name)) {
            destroyed(bench, bench.srqs());
        } else if (bench.handles().named().has(name)) {
            destroyed(bench, bench.handles().named());
        } else if (bench.xrcds().has(name)) {
            destroyed(bench, bench.xrcds());
        } else {
            destroyed(bench, bench.verb(error, () -> bench.pd(name).close()));
        }
    }

    private void destroyed(Workbench bench, Shelf<?> shelf) {
        if (bench.verb(error, () -> shelf.close(name))) {
            shelf.closed(name);
        }
    }

    private void destroyed(Workbench bench, boolean done) {
        if (done) {
            bench.destroyed(name);
        }
    }
}

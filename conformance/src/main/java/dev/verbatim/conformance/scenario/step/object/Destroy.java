// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.conformance.scenario.node.NamedObjects;
import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Destroys an object that has a name: queue pair, completion queue, shared receive queue, address handle, XRC domain or
 * protection domain.
 */
public record Destroy(String name, @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<Destroy> word() {
        StepWord<Destroy> word = new StepWord<>("destroy", Destroy.class);
        Key<Destroy, String> head = word.head(
                Forms.name("a name"),
                Destroy::name,
                "Destroys a queue pair, completion queue, shared receive queue, address handle, XRC domain or protection"
                        + " domain.");
        Key<Destroy, ExpectedError> error = word.error(Destroy::error);
        return word.making(values -> new Destroy(values.get(head), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
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
    public void run(StepContext context) {
        NodeState node = context.node();
        if (node.names().qps().containsKey(name)) {
            if (destroy(context, node.qps())) {
                node.pendingSends().forget(name);
            }
        } else if (node.names().cqs().containsKey(name)) {
            destroy(context, node.cqs());
        } else if (node.srqs().has(name)) {
            destroy(context, node.srqs());
        } else if (node.handles().named().has(name)) {
            destroy(context, node.handles().named());
        } else if (node.xrcds().has(name)) {
            destroy(context, node.xrcds());
        } else {
            destroy(context, node.pds());
        }
    }

    private boolean destroy(StepContext context, NamedObjects<?> objects) {
        boolean done = context.verb(error, () -> objects.close(name));
        if (done) {
            objects.closed(name);
        }
        return done;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.Gid;
import org.jspecify.annotations.Nullable;

/** Asks for an entry of the GID table of a port of the node's device. */
public record QueryGid(
        int index,
        int port,
        @Nullable String node,
        @Nullable String into,
        @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<QueryGid> word() {
        StepWord<QueryGid> word = new StepWord<>("query_gid", QueryGid.class);
        Key<QueryGid, Integer> head =
                word.head(Forms.integer(0, 0xffff), QueryGid::index, "Index of an entry of the GID table.");
        Key<QueryGid, Integer> port =
                word.optional("port_num", Forms.integer(0, 255), 1, QueryGid::port, "Port, from 1.");
        Key<QueryGid, String> node =
                word.perhaps("node", Forms.name("the name of a node"), QueryGid::node, "Node whose GID it must be.");
        Key<QueryGid, String> into =
                word.perhaps("into", Forms.name("the name of a register"), QueryGid::into, "Register for it.");
        Key<QueryGid, ExpectedError> error = word.error(QueryGid::error);
        return word.making(values -> new QueryGid(
                values.get(head), values.get(port), values.orNull(node), values.orNull(into), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        if (node != null) {
            scope.node("node", node);
        }
        if (into != null) {
            scope.sets("into", into);
        }
    }

    @Override
    public void run(StepContext context) {
        context.verb(error, () -> {
            Gid found = context.node().device().queryGid(port, index);
            if (node != null && !found.equals(context.node(node).device().gid())) {
                context.fail(
                        "gid=" + found + ", not " + context.node(node).device().gid() + " of node " + node);
            }
            if (into != null) {
                context.node().registers().put(into, found.toString());
            }
        });
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.Gid;
import org.jspecify.annotations.Nullable;

/**
 * Asks for an entry of the GID table of a port of the node's device.
 *
 * @param index its index; illegal ones can be said
 * @param port number of the port; illegal ones can be said
 * @param node node whose GID it must be; null if it does not matter
 * @param into register for it; null for none
 * @param error how it must fail; null if it must succeed
 */
public record QueryGid(
        int index,
        int port,
        @Nullable String node,
        @Nullable String into,
        @Nullable Refused error) implements Step {

    static Mapping<QueryGid> word() {
        Mapping<QueryGid> mapping = new Mapping<>("query_gid", "a query_gid step");
        Key<QueryGid, Integer> head = mapping.required(
                "query_gid", Forms.integer(0, 0xffff), QueryGid::index, "Index of an entry of the GID table.");
        Key<QueryGid, Integer> port =
                mapping.optional("port_num", Forms.integer(0, 255), 1, QueryGid::port, "Port, from 1.");
        Key<QueryGid, String> node =
                mapping.perhaps("node", Forms.name("the name of a node"), QueryGid::node, "Node whose GID it must be.");
        Key<QueryGid, String> into =
                mapping.perhaps("into", Forms.name("the name of a register"), QueryGid::into, "Register for it.");
        Key<QueryGid, Refused> error = mapping.perhaps("error", Refused.FORM, QueryGid::error, "How it must fail.");
        return mapping.making(values -> new QueryGid(
                values.get(head), values.get(port), values.orNull(node), values.orNull(into), values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        if (node != null) {
            scope.node("node", node);
        }
        if (into != null) {
            scope.sets("into", into);
        }
    }

    @Override
    public void run(Workbench bench) {
        bench.verb(error, () -> {
            Gid found = bench.device().queryGid(port, index);
            if (node != null && !found.equals(bench.board().bench(node).device().gid())) {
                bench.fail("gid=" + found + ", not "
                        + bench.board().bench(node).device().gid() + " of node " + node);
            }
            if (into != null) {
                bench.registers().put(into, found.toString());
            }
        });
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import org.jspecify.annotations.Nullable;

/**
 * Asks for an entry of the partition key table of a port of the node's device.
 *
 * @param index its index; illegal ones can be said
 * @param port number of the port; illegal ones can be said
 * @param pkey partition key that it must be; null if it does not matter
 * @param into register for it; null for none
 * @param error how it must fail; null if it must succeed
 */
public record QueryPkey(
        int index,
        int port,
        @Nullable Integer pkey,
        @Nullable String into,
        @Nullable Refused error) implements Step {

    static Mapping<QueryPkey> word() {
        Mapping<QueryPkey> mapping = new Mapping<>("query_pkey", "a query_pkey step");
        Key<QueryPkey, Integer> head = mapping.required(
                "query_pkey",
                Forms.integer(0, 0xffff),
                QueryPkey::index,
                "Index of an entry of the partition key table.");
        Key<QueryPkey, Integer> port =
                mapping.optional("port_num", Forms.integer(0, 255), 1, QueryPkey::port, "Port, from 1.");
        Key<QueryPkey, Integer> pkey = mapping.perhaps(
                "pkey", Forms.integer(0, 0xffff), QueryPkey::pkey, "The partition key that it must be.");
        Key<QueryPkey, String> into =
                mapping.perhaps("into", Forms.name("the name of a register"), QueryPkey::into, "Register for it.");
        Key<QueryPkey, Refused> error = mapping.perhaps("error", Refused.FORM, QueryPkey::error, "How it must fail.");
        return mapping.making(values -> new QueryPkey(
                values.get(head), values.get(port), values.orNull(pkey), values.orNull(into), values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        if (into != null) {
            scope.sets("into", into);
        }
    }

    @Override
    public void run(Workbench bench) {
        bench.verb(error, () -> {
            int found = bench.device().queryPkey(port, index);
            if (pkey != null && found != pkey) {
                bench.fail("pkey=" + found + ", not " + pkey);
            }
            if (into != null) {
                bench.registers().put(into, String.valueOf(found));
            }
        });
    }
}

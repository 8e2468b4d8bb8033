// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/**
 * Asks whether the data of an operation lands in order for readers that poll memory.
 *
 * @param opcode the operation
 * @param qp queue pair; null for the only one
 * @param inOrder what the answer must be; null if it does not matter
 * @param into register for the answer; null for none
 */
public record QueryDataInOrder(
        WrOpcode opcode,
        @Nullable String qp,
        @Nullable Boolean inOrder,
        @Nullable String into) implements Step {

    static Mapping<QueryDataInOrder> word() {
        Mapping<QueryDataInOrder> mapping = new Mapping<>("query_qp_data_in_order", "a query_qp_data_in_order step");
        Key<QueryDataInOrder, WrOpcode> head = mapping.required(
                "query_qp_data_in_order",
                Forms.constant("an opcode of a request", WrOpcode.class),
                QueryDataInOrder::opcode,
                "Operation whose data is meant.");
        Key<QueryDataInOrder, String> qp = mapping.perhaps(
                "qp",
                Forms.name("the name of a queue pair"),
                QueryDataInOrder::qp,
                "Queue pair, if there are several.");
        Key<QueryDataInOrder, Boolean> inOrder =
                mapping.perhaps("in_order", Forms.flag(), QueryDataInOrder::inOrder, "What the answer must be.");
        Key<QueryDataInOrder, String> into = mapping.perhaps(
                "into", Forms.name("the name of a register"), QueryDataInOrder::into, "Register for the answer.");
        return mapping.making(values ->
                new QueryDataInOrder(values.get(head), values.orNull(qp), values.orNull(inOrder), values.orNull(into)));
    }

    @Override
    public void check(Scope scope) {
        scope.qp(qp);
        if (into != null) {
            scope.sets("into", into);
        }
    }

    @Override
    public void run(Workbench bench) {
        boolean found = bench.qp(qp).queryDataInOrder(opcode);
        if (inOrder != null && found != inOrder) {
            bench.fail("in_order=" + found + ", not " + inOrder);
        }
        if (into != null) {
            bench.registers().put(into, String.valueOf(found));
        }
    }
}

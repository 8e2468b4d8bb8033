// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** Asks whether the data of an operation lands in order for readers that poll memory. */
public record QueryDataInOrder(
        WrOpcode opcode,
        @Nullable String qp,
        @Nullable Boolean inOrder,
        @Nullable String into) implements Step {

    /** How it is written. */
    public static StepWord<QueryDataInOrder> word() {
        StepWord<QueryDataInOrder> word = new StepWord<>("query_qp_data_in_order", QueryDataInOrder.class);
        Key<QueryDataInOrder, WrOpcode> head = word.head(
                Forms.constant("an opcode of a request", WrOpcode.class),
                QueryDataInOrder::opcode,
                "Operation whose data is meant.");
        Key<QueryDataInOrder, String> qp = word.qp(QueryDataInOrder::qp);
        Key<QueryDataInOrder, Boolean> inOrder =
                word.perhaps("in_order", Forms.flag(), QueryDataInOrder::inOrder, "What the answer must be.");
        Key<QueryDataInOrder, String> into = word.perhaps(
                "into", Forms.name("the name of a register"), QueryDataInOrder::into, "Register for the answer.");
        return word.making(values ->
                new QueryDataInOrder(values.get(head), values.orNull(qp), values.orNull(inOrder), values.orNull(into)));
    }

    @Override
    public void check(NameScope scope) {
        scope.qp(qp);
        if (into != null) {
            scope.sets("into", into);
        }
    }

    @Override
    public void run(StepContext context) {
        boolean found = context.node().qp(qp).queryDataInOrder(opcode);
        if (inOrder != null && found != inOrder) {
            context.fail("in_order=" + found + ", not " + inOrder);
        }
        if (into != null) {
            context.node().registers().put(into, String.valueOf(found));
        }
    }
}

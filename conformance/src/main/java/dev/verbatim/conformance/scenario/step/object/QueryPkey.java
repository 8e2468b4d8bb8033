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
import org.jspecify.annotations.Nullable;

/** Asks for an entry of the partition key table of a port of the node's device. */
public record QueryPkey(
        int index,
        int port,
        @Nullable Integer pkey,
        @Nullable String into,
        @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<QueryPkey> word() {
        StepWord<QueryPkey> word = new StepWord<>("query_pkey", QueryPkey.class);
        Key<QueryPkey, Integer> head =
                word.head(Forms.integer(0, 0xffff), QueryPkey::index, "Index of an entry of the partition key table.");
        Key<QueryPkey, Integer> port =
                word.optional("port_num", Forms.integer(0, 255), 1, QueryPkey::port, "Port, from 1.");
        Key<QueryPkey, Integer> pkey =
                word.perhaps("pkey", Forms.integer(0, 0xffff), QueryPkey::pkey, "The partition key that it must be.");
        Key<QueryPkey, String> into =
                word.perhaps("into", Forms.name("the name of a register"), QueryPkey::into, "Register for it.");
        Key<QueryPkey, ExpectedError> error = word.error(QueryPkey::error);
        return word.making(values -> new QueryPkey(
                values.get(head), values.get(port), values.orNull(pkey), values.orNull(into), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        if (into != null) {
            scope.sets("into", into);
        }
    }

    @Override
    public void run(StepContext context) {
        context.verb(error, () -> {
            int found = context.node().device().queryPkey(port, index);
            if (pkey != null && found != pkey) {
                context.fail("pkey=" + found + ", not " + pkey);
            }
            if (into != null) {
                context.node().registers().put(into, String.valueOf(found));
            }
        });
    }
}

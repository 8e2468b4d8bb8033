// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.memory;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.PairForm;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;

/** The CPU of the node writes into its own memory. */
public record Store(Place to, Bytes value) implements Step {

    /** How it is written. */
    public static StepWord<Store> word() {
        StepWord<Store> word = new StepWord<>("store", Store.class);
        Key<Store, Store> head = word.head(
                new PairForm<>(Place.WORD, Bytes.FORM, Store::new, Store::to, Store::value),
                store -> store,
                "Own place: a number, a register, or bytes. The CPU writes it.");
        return word.making(values -> values.get(head));
    }

    @Override
    public boolean waitsForStores() {
        return false;
    }

    @Override
    public void check(NameScope scope) {
        if (value.isSingle()) {
            scope.cpu("store", to);
            value.checkFit(scope, "store", to, true);
        } else {
            scope.local("store", to);
            scope.inside("store", to);
        }
        value.check(scope, "store");
        if (value.how() == Bytes.How.WORD) {
            scope.uses("store", value.value());
        }
        if (value.lengthBytes() > scope.own().lengthOf(to)) {
            scope.problem("store", to + " has less than " + value.lengthBytes() + " bytes; name more");
        }
    }

    @Override
    public void run(StepContext context) {
        if (!value.isSingle()) {
            context.node()
                    .memory()
                    .storeAll(
                            context.observer(),
                            to,
                            value.expand(context.node().names().lengthOf(to)));
            return;
        }
        String number = value.how() == Bytes.How.WORD
                ? context.node().registers().getOrDefault(value.value(), "")
                : value.number(context);
        try {
            context.store(to, Long.parseLong(number));
        } catch (NumberFormatException e) {
            context.fail("register " + value.value() + " holds " + number + ", which is no number");
        }
    }
}

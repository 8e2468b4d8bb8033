// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.memory;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Registers and the node's own memory hold what they should at this moment. */
public record Expect(Map<String, Bytes> wanted) implements Step {

    /** Copies the map. */
    public Expect {
        wanted = Collections.unmodifiableMap(new LinkedHashMap<>(wanted));
    }

    /** How it is written. */
    public static StepWord<Expect> word() {
        Form<String> place = Forms.converted(Place.WORD, Place::toString, Expect::place);
        return StepWord.ofHead(
                "expect",
                Expect.class,
                Forms.mapOf(place, Bytes.FORM),
                Expect::wanted,
                "Registers and own places: what they hold at this moment.",
                Expect::new);
    }

    private static Place place(String text) {
        return Place.parse(text);
    }

    @Override
    public void check(NameScope scope) {
        wanted.forEach((name, bytes) -> {
            Place place = place(name);
            bytes.check(scope, "expect");
            if (scope.isRegister(name)) {
                return;
            }
            if (bytes.isSingle()) {
                scope.cpu("expect", place);
                bytes.checkFit(scope, "expect", place, false);
            } else {
                scope.local("expect", place);
                scope.inside("expect", place);
            }
        });
    }

    @Override
    public void run(StepContext context) {
        wanted.forEach((name, bytes) -> {
            String found;
            String should = bytes.number(context);
            String register = context.node().registers().get(name);
            if (register != null) {
                found = register;
            } else if (bytes.isSingle()) {
                found = String.valueOf(context.node().memory().load(context.observer(), place(name)));
            } else {
                byte[] all = context.node().memory().loadAll(place(name));
                byte[] expanded = bytes.expand(all.length);
                int first = Arrays.mismatch(all, expanded);
                found = first < 0
                        ? should
                        : "byte " + first + " = 0x" + HexFormat.of().toHexDigits(all[first]);
            }
            if (!found.equals(should)) {
                context.fail(name + "=" + found + ", not " + bytes);
            }
        });
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes attributes of a queue pair. */
public record Modify(
        Map<String, Object> attributes,
        @Nullable String qp,
        @Nullable ExpectedError error) implements Step {

    private static final String STATE = "state";

    /** In a file: a state, or a mapping of attributes. */
    static final Form<Map<String, Object>> ATTRIBUTES = attributesForm();

    /** Copies the map. */
    public Modify {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    private static Form<Map<String, Object>> attributesForm() {
        Mapping<Map<String, Object>> mapping = new Mapping<>("attributes", "attributes of a queue pair");
        Function<Values, Map<String, Object>> reader = Attribute.keys(mapping, map -> map);
        mapping.making(reader);
        Form<QpState> state = Forms.constant("a state of a queue pair", QpState.class);
        return Forms.shortOr(
                Forms.converted(
                        state, value -> Map.of(STATE, value), map -> (QpState) Objects.requireNonNull(map.get(STATE))),
                map -> map.size() == 1 && map.containsKey(STATE),
                mapping);
    }

    /** How it is written. */
    public static StepWord<Modify> word() {
        StepWord<Modify> word = new StepWord<>("modify", Modify.class);
        Key<Modify, Map<String, Object>> head =
                word.head(ATTRIBUTES, Modify::attributes, "The state to go to, or several attributes.");
        Key<Modify, String> qp = word.qp(Modify::qp);
        Key<Modify, ExpectedError> error = word.error(Modify::error);
        return word.making(values -> new Modify(values.get(head), values.orNull(qp), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        scope.qp(qp);
        Attribute.check(attributes, scope, "modify");
    }

    @Override
    public void run(StepContext context) {
        QpAttributes asked = new QpAttributes();
        for (Attribute<?> attribute : Attribute.ALL) {
            Object value = attributes.get(attribute.word());
            if (value != null) {
                attribute.set(context, context.node().qpName(qp), asked, value);
            }
        }
        boolean changed = context.verb(error, () -> context.node().qp(qp).modify(asked));
        if (changed && attributes.get(STATE) == QpState.RESET) {
            context.node().pendingSends().forget(context.node().qpName(qp));
        }
    }
}

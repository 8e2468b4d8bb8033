// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks for attributes of a queue pair, which must have the values that are said.
 *
 * @param attributes values by the words of {@link Attribute}
 * @param qp queue pair; null for the only one
 * @param into register for its state; null for none
 * @param error how it must fail; null if it must succeed
 */
public record Query(
        Map<String, Object> attributes,
        @Nullable String qp,
        @Nullable String into,
        @Nullable Refused error) implements Step {

    /** Copies the map. */
    public Query {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /** The only queue pair must be in that state. */
    public static Query state(QpState state) {
        return new Query(Map.of("state", state), null, null, null);
    }

    static Mapping<Query> word() {
        Mapping<Query> mapping = new Mapping<>("query", "a query step");
        Key<Query, Map<String, Object>> head = mapping.required(
                "query", Modify.ATTRIBUTES, Query::attributes, "The state that it must have, or several attributes.");
        Key<Query, String> qp = mapping.perhaps(
                "qp", Forms.name("the name of a queue pair"), Query::qp, "Queue pair, if there are several.");
        Key<Query, String> into =
                mapping.perhaps("into", Forms.name("the name of a register"), Query::into, "Register for its state.");
        Key<Query, Refused> error = mapping.perhaps("error", Refused.FORM, Query::error, "How it must fail.");
        return mapping.making(
                values -> new Query(values.get(head), values.orNull(qp), values.orNull(into), values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        scope.qp(qp);
        Attribute.check(attributes, scope, "query");
        if (into != null) {
            scope.sets("into", into);
        }
    }

    @Override
    public void run(Workbench bench) {
        bench.verb(error, () -> compare(bench, bench.qp(qp).query()));
    }

    private void compare(Workbench bench, QpAttributes found) {
        for (Attribute<?> attribute : Attribute.ALL) {
            Object wanted = attributes.get(attribute.word());
            Object value = attribute.getter().apply(found);
            if (wanted != null && value != null && !wanted.equals(value)) {
                bench.fail(attribute.word() + "=" + value + ", not " + wanted);
            }
        }
        if (into != null) {
            bench.registers().put(into, found.state().name());
        }
    }
}

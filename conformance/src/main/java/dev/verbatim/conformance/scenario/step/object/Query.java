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
import dev.verbatim.verbs.QpAttributes;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks for attributes of a queue pair, which must have the values that are said. */
public record Query(
        Map<String, Object> attributes,
        @Nullable String qp,
        @Nullable String into,
        @Nullable ExpectedError error) implements Step {

    /** Copies the map. */
    public Query {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /** How it is written. */
    public static StepWord<Query> word() {
        StepWord<Query> word = new StepWord<>("query", Query.class);
        Key<Query, Map<String, Object>> head =
                word.head(Modify.ATTRIBUTES, Query::attributes, "The state that it must have, or several attributes.");
        Key<Query, String> qp = word.qp(Query::qp);
        Key<Query, String> into =
                word.perhaps("into", Forms.name("the name of a register"), Query::into, "Register for its state.");
        Key<Query, ExpectedError> error = word.error(Query::error);
        return word.making(
                values -> new Query(values.get(head), values.orNull(qp), values.orNull(into), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        scope.qp(qp);
        Attribute.check(attributes, scope, "query");
        if (into != null) {
            scope.sets("into", into);
        }
    }

    @Override
    public void run(StepContext context) {
        context.verb(error, () -> compare(context, context.node().qp(qp).query()));
    }

    private void compare(StepContext context, QpAttributes found) {
        for (Attribute<?> attribute : Attribute.ALL) {
            Object wanted = attributes.get(attribute.word());
            Object value = attribute.getter().apply(found);
            if (wanted != null && value != null && !wanted.equals(value)) {
                context.fail(attribute.word() + "=" + value + ", not " + wanted);
            }
        }
        if (into != null) {
            context.node().registers().put(into, found.state().name());
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.QueriedAttributes;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.SrqAttributes;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks for the attributes of a shared receive queue. */
public record QuerySrq(
        String srq,
        Map<String, Object> wanted,
        Map<String, String> into,
        @Nullable ExpectedError error) implements Step {

    /** The words; an attribute that is added needs a row here, in the same order, which a test checks. */
    public static final QueriedAttributes<SrqAttributes> FACTS = new QueriedAttributes<SrqAttributes>()
            .count("max_wr", SrqAttributes::maxWr)
            .count("max_sge", SrqAttributes::maxSge)
            .count("limit", SrqAttributes::limit);

    /** Copies the maps. */
    public QuerySrq {
        wanted = Collections.unmodifiableMap(new LinkedHashMap<>(wanted));
        into = Collections.unmodifiableMap(new LinkedHashMap<>(into));
    }

    /** How it is written. */
    public static StepWord<QuerySrq> word() {
        StepWord<QuerySrq> word = new StepWord<>("query_srq", QuerySrq.class);
        Key<QuerySrq, String> head =
                word.head(Forms.name("the name of a shared receive queue"), QuerySrq::srq, "The shared receive queue.");
        Key<QuerySrq, Map<String, Object>> wanted = word.optional(
                "has",
                FACTS.wanted("srq_attributes", "the attributes of a shared receive queue"),
                Map.of(),
                QuerySrq::wanted,
                "Attributes that it must have.");
        Key<QuerySrq, Map<String, String>> into = word.optional(
                "into",
                FACTS.into("an attribute of a shared receive queue"),
                Map.of(),
                QuerySrq::into,
                "Registers by attribute.");
        Key<QuerySrq, ExpectedError> error = word.error(QuerySrq::error);
        return word.making(
                values -> new QuerySrq(values.get(head), values.get(wanted), values.get(into), values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        scope.known("query_srq", "shared receive queue", srq, scope.own().srqs().keySet());
        into.values().forEach(register -> scope.sets("into", register));
    }

    @Override
    public void run(StepContext context) {
        context.verb(
                error, () -> FACTS.see(context, context.node().srqs().get(srq).query(), wanted, into));
    }
}

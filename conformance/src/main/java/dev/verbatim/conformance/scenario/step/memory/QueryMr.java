// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.memory;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.conformance.scenario.step.QueriedAttributes;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.MemoryRegion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Asks for the attributes of a region as it is registered now. */
public record QueryMr(String region, Map<String, Object> wanted, Map<String, String> into) implements Step {

    /** The words; its keys and addresses are compared by {@code expect}. */
    static final QueriedAttributes<MemoryRegion> FACTS = new QueriedAttributes<MemoryRegion>()
            .count("length", region -> Math.toIntExact(region.lengthBytes()))
            .add("access", FlagWords.ACCESS, MemoryRegion::access);

    /** Copies the maps. */
    public QueryMr {
        wanted = Collections.unmodifiableMap(new LinkedHashMap<>(wanted));
        into = Collections.unmodifiableMap(new LinkedHashMap<>(into));
    }

    /** How it is written. */
    public static StepWord<QueryMr> word() {
        StepWord<QueryMr> word = new StepWord<>("query_mr", QueryMr.class);
        Key<QueryMr, String> head = word.head(Forms.name("the name of a region"), QueryMr::region, "The region.");
        Key<QueryMr, Map<String, Object>> wanted = word.optional(
                "has",
                FACTS.wanted("mr_attributes", "the attributes of a region"),
                Map.of(),
                QueryMr::wanted,
                "Attributes that it must have.");
        Key<QueryMr, Map<String, String>> into = word.optional(
                "into", FACTS.into("an attribute of a region"), Map.of(), QueryMr::into, "Registers by attribute.");
        return word.making(values -> new QueryMr(values.get(head), values.get(wanted), values.get(into)));
    }

    @Override
    public void check(NameScope scope) {
        if (!scope.own().isRegion(region)) {
            scope.known("query_mr", "region", region, scope.own().regions().keySet());
        }
        into.values().forEach(register -> scope.sets("into", register));
    }

    @Override
    public void run(StepContext context) {
        MemoryRegion registered = context.node().memory().region(region);
        if (registered == null) {
            context.fail(region + " is not registered now");
            return;
        }
        FACTS.see(context, registered, wanted, into);
    }
}

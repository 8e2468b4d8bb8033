// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.verbs.MemoryRegion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Asks for the attributes of a region as it is registered now.
 *
 * @param region its name
 * @param wanted values that it must have, by the words of {@link #FACTS}
 * @param into registers for values, by the same words
 */
public record QueryMr(String region, Map<String, Object> wanted, Map<String, String> into) implements Step {

    /** The words; its keys and addresses are compared by {@code expect}. */
    static final Facts<MemoryRegion> FACTS = new Facts<MemoryRegion>()
            .count("length", MemoryRegion::lengthBytes)
            .add("access", FlagWords.ACCESS, MemoryRegion::access);

    /** Copies the maps. */
    public QueryMr {
        wanted = Collections.unmodifiableMap(new LinkedHashMap<>(wanted));
        into = Collections.unmodifiableMap(new LinkedHashMap<>(into));
    }

    static Mapping<QueryMr> word() {
        Mapping<QueryMr> mapping = new Mapping<>("query_mr", "a query_mr step");
        Key<QueryMr, String> head =
                mapping.required("query_mr", Forms.name("the name of a region"), QueryMr::region, "The region.");
        Key<QueryMr, Map<String, Object>> wanted = mapping.optional(
                "has",
                FACTS.wanted("mr_attributes", "the attributes of a region"),
                Map.of(),
                QueryMr::wanted,
                "Attributes that it must have.");
        Key<QueryMr, Map<String, String>> into = mapping.optional(
                "into", FACTS.into("an attribute of a region"), Map.of(), QueryMr::into, "Registers by attribute.");
        return mapping.making(values -> new QueryMr(values.get(head), values.get(wanted), values.get(into)));
    }

    @Override
    public void check(Scope scope) {
        if (!scope.own().isRegion(region)) {
            scope.known("query_mr", "region", region, scope.own().regions().keySet());
        }
        into.values().forEach(register -> scope.sets("into", register));
    }

    @Override
    public void run(Workbench bench) {
        MemoryRegion registered = bench.lands().region(region);
        if (registered == null) {
            bench.fail(region + " is not registered now");
            return;
        }
        FACTS.see(bench, registered, wanted, into);
    }
}

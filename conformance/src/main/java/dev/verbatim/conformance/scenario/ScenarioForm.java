// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Schema;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The outermost words of a scenario file. */
public final class ScenarioForm {

    static final Mapping<Scenario> FORM = form();

    private ScenarioForm() {}

    /** The JSON schema of scenario files, for editors. */
    public static Map<String, Object> jsonSchema() {
        Schema.Definitions definitions = new Schema.Definitions();
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "Verbatim scenario");
        schema.putAll(FORM.schema(definitions).json());
        schema.put("$defs", definitions.json());
        return schema;
    }

    private static Mapping<Scenario> form() {
        Mapping<Scenario> mapping = new Mapping<>("scenario", "a scenario");
        Form<String> rule = Forms.text("the id of a rule");
        Key<Scenario, String> title =
                mapping.required("title", Forms.text("a title"), Scenario::title, "What it is, in one line.");
        Key<Scenario, String> about =
                mapping.optional("about", Forms.text("a text"), "", Scenario::about, "What it shows, for people.");
        Key<Scenario, List<String>> rules = mapping.optional(
                "rules", Forms.oneOrMany(rule), List.of(), Scenario::rules, "The rules that it is about.");
        Key<Scenario, Map<String, NodeSpec>> nodes = mapping.required(
                "nodes",
                Forms.mapOf(Forms.name("the name of a node"), NodeSpec.FORM),
                Scenario::nodes,
                "The nodes by name: what they have and what they do.");
        Key<Scenario, List<ConnectionSpec>> connections = mapping.optional(
                "connections",
                Forms.listOf(ConnectionSpec.FORM),
                List.of(),
                scenario -> scenario.connections().equals(Scenario.usualConnections(scenario.nodes()))
                        ? null
                        : scenario.connections(),
                "Which queue pairs talk to each other; two nodes are connected anyway.");
        Key<Scenario, List<PacketFault>> faults = mapping.optional(
                "faults", Forms.listOf(PacketFault.FORM), List.of(), Scenario::faults, "What happens to packets.");
        Key<Scenario, ChoiceSpec> choices = mapping.optional(
                "choices", ChoiceSpec.FORM, ChoiceSpec.USUAL, Scenario::choices, "What an exploration may choose.");
        Key<Scenario, List<OutcomePattern>> allowed = mapping.optional(
                "allowed", Forms.listOf(OutcomePattern.FORM), List.of(), Scenario::allowed, "How it may end.");
        Key<Scenario, List<Forbidden>> forbidden = mapping.optional(
                "forbidden", Forms.listOf(Forbidden.FORM), List.of(), Scenario::forbidden, "How it must not end.");
        Key<Scenario, OutcomePattern> canonical = mapping.perhaps(
                "canonical", OutcomePattern.FORM, Scenario::canonical, "How it ends with canonical choices.");
        Key<Scenario, OutcomePattern> stale = mapping.perhaps(
                "stale",
                OutcomePattern.FORM,
                Scenario::stale,
                "The outcome that only some platforms permit: litmus --under says which.");
        return mapping.making(values -> new Scenario(
                values.get(title),
                values.get(about),
                values.get(rules),
                values.get(nodes),
                values.get(connections),
                values.get(faults),
                values.get(choices),
                values.get(allowed),
                values.get(forbidden),
                values.orNull(canonical),
                values.orNull(stale)));
    }
}

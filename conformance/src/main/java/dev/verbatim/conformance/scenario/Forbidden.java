// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;

/**
 * An outcome that must not be.
 *
 * @param outcome which
 * @param rule id of the rule that forbids it
 */
public record Forbidden(OutcomePattern outcome, String rule) {

    /** In a file. */
    public static final Form<Forbidden> FORM = form();

    private static Form<Forbidden> form() {
        Mapping<Forbidden> mapping = new Mapping<>("forbidden", "a forbidden outcome");
        Key<Forbidden, OutcomePattern> outcome =
                mapping.required("outcome", OutcomePattern.FORM, Forbidden::outcome, "What must not be.");
        Key<Forbidden, String> rule = mapping.required(
                "rule", Forms.text("the id of a rule"), Forbidden::rule, "The rule that forbids it, such as ORD-11.");
        return mapping.making(values -> new Forbidden(values.get(outcome), values.get(rule)));
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;

/** A completion queue of a node. */
public record CqSpec(int entries, boolean channel) {

    /** Name of the completion queue of a node that names none. */
    public static final String USUAL_NAME = "cq";

    /** What a completion queue is where nothing is said. */
    public static final CqSpec USUAL = new CqSpec(64, false);

    /** In a file. */
    public static final Form<CqSpec> FORM = form();

    private static final int MOST = 1 << 22;

    private static Form<CqSpec> form() {
        Mapping<CqSpec> mapping = new Mapping<>("cq", "a completion queue");
        Key<CqSpec, Integer> entries = mapping.optional(
                "entries", Forms.integer(1, MOST), USUAL.entries, CqSpec::entries, "Room for so many completions.");
        Key<CqSpec, Boolean> channel = mapping.optional(
                "channel", Forms.flag(), USUAL.channel, CqSpec::channel, "Whether it has a completion channel.");
        return mapping.making(values -> new CqSpec(values.get(entries), values.get(channel)));
    }
}

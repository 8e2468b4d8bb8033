// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;

/**
 * An address handle of a node.
 *
 * @param node the node that it leads to
 * @param pd protection domain
 */
public record AhSpec(String node, String pd) {

    private static final Form<String> NODE = Forms.name("the name of a node");

    /** In a file: the node, or a mapping. */
    public static final Form<AhSpec> FORM = form();

    /** A handle in the usual domain. */
    public static AhSpec to(String node) {
        return new AhSpec(node, RegionSpec.USUAL_PD);
    }

    private static Form<AhSpec> form() {
        Mapping<AhSpec> mapping = new Mapping<>("ah", "an address handle");
        Key<AhSpec, String> node = mapping.required("node", NODE, AhSpec::node, "The node that it leads to.");
        Key<AhSpec, String> pd = mapping.optional(
                "pd",
                Forms.name("the name of a protection domain"),
                RegionSpec.USUAL_PD,
                AhSpec::pd,
                "Protection domain.");
        mapping.making(values -> new AhSpec(values.get(node), values.get(pd)));
        return Forms.shortOr(Forms.converted(NODE, AhSpec::to, AhSpec::node), ah -> ah.equals(to(ah.node)), mapping);
    }
}

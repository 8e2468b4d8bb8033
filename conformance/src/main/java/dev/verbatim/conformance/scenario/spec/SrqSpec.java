// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.SrqAttributes;
import org.jspecify.annotations.Nullable;

/** A shared receive queue of a node. */
public record SrqSpec(
        int maxWr,
        int maxSge,
        String pd,
        @Nullable String xrcd,
        @Nullable String cq) {

    /** What a shared receive queue is where nothing is said. */
    public static final SrqSpec USUAL = new SrqSpec(16, 4, RegionSpec.USUAL_PD, null, null);

    /** In a file. */
    public static final Form<SrqSpec> FORM = form();

    private static final int MOST = 1 << 20;

    /** Sizes as asked for, and no limit. */
    public SrqAttributes attributes() {
        return new SrqAttributes(maxWr, maxSge, 0);
    }

    private static Form<SrqSpec> form() {
        Mapping<SrqSpec> mapping = new Mapping<>("srq", "a shared receive queue");
        Key<SrqSpec, Integer> maxWr = mapping.optional(
                "max_wr", Forms.integer(0, MOST), USUAL.maxWr, SrqSpec::maxWr, "Room for so many receives.");
        Key<SrqSpec, Integer> maxSge = mapping.optional(
                "max_sge", Forms.integer(0, MOST), USUAL.maxSge, SrqSpec::maxSge, "Elements of a receive.");
        Key<SrqSpec, String> pd = mapping.optional(
                "pd",
                Forms.name("the name of a protection domain"),
                USUAL.pd,
                SrqSpec::pd,
                "Protection domain, in which its receives are.");
        Key<SrqSpec, String> xrcd = mapping.perhaps(
                "xrcd",
                Forms.name("the name of an XRC domain"),
                SrqSpec::xrcd,
                "XRC domain whose requests may name it; none makes it a basic one.");
        Key<SrqSpec, String> cq = mapping.perhaps(
                "cq",
                Forms.name("the name of a completion queue"),
                SrqSpec::cq,
                "Where the receives of an XRC queue complete.");
        return mapping.making(values -> {
            String domain = values.orNull(xrcd);
            String completions = values.orNull(cq);
            if (domain == null && completions != null) {
                throw new IllegalArgumentException(
                        "receives of a basic queue complete where their queue pairs say; leave cq out, or add xrcd");
            }
            return new SrqSpec(
                    values.get(maxWr),
                    values.get(maxSge),
                    values.get(pd),
                    domain,
                    domain != null && completions == null ? CqSpec.USUAL_NAME : completions);
        });
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.MemoryWindowType;

/** A memory window that a node has before its program starts. */
public record WindowSpec(MemoryWindowType type, String pd) {

    /** The number of a type in libibverbs: 1 or 2. */
    public static final Form<MemoryWindowType> TYPE = Forms.converted(
            Forms.integer(1, 2),
            number -> number == 1 ? MemoryWindowType.TYPE_1 : MemoryWindowType.TYPE_2,
            MemoryWindowType::number);

    /** In a file: its type, or a mapping. */
    public static final Form<WindowSpec> FORM = form();

    /** A window in the usual domain. */
    public static WindowSpec of(MemoryWindowType type) {
        return new WindowSpec(type, RegionSpec.USUAL_PD);
    }

    private static Form<WindowSpec> form() {
        Mapping<WindowSpec> mapping = new Mapping<>("window", "a window");
        Key<WindowSpec, MemoryWindowType> type = mapping.required("type", TYPE, WindowSpec::type, "1 or 2.");
        Key<WindowSpec, String> pd = mapping.optional(
                "pd",
                Forms.name("the name of a protection domain"),
                RegionSpec.USUAL_PD,
                WindowSpec::pd,
                "Protection domain.");
        mapping.making(values -> new WindowSpec(values.get(type), values.get(pd)));
        return Forms.shortOr(
                Forms.converted(TYPE, WindowSpec::of, WindowSpec::type),
                window -> window.equals(of(window.type)),
                mapping);
    }
}

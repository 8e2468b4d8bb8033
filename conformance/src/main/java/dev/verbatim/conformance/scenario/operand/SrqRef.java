// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.operand;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue of the peer, by name or, perhaps wrongly, by number.
 *
 * @param name its name; null for a number
 * @param number its number, if it has no name
 */
public record SrqRef(@Nullable String name, int number) {

    private static final int MOST_NUMBER = (1 << 24) - 1;

    /** In a file. */
    public static final Form<SrqRef> FORM = Forms.either(
            Forms.converted(Forms.integer(0, MOST_NUMBER), SrqRef::of, SrqRef::number),
            srq -> srq.name == null,
            Forms.converted(
                    Forms.name("the name of a shared receive queue"),
                    SrqRef::of,
                    srq -> Objects.requireNonNull(srq.name)),
            "a shared receive queue of the peer: its name, or a number");

    /** The one of that name. */
    public static SrqRef of(String name) {
        return new SrqRef(name, 0);
    }

    /** The one of that number, if there is one. */
    public static SrqRef of(int number) {
        return new SrqRef(null, number);
    }
}

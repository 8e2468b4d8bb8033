// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key that is said outright.
 *
 * @param region whose key it is; null for {@code number}
 * @param which which of its keys; {@link Which#FITTING} where there is no region
 * @param number the key itself; 0 where there is a region
 */
public record KeyRef(@Nullable String region, Which which, int number) {

    /** Which key of a region. */
    public enum Which {
        /** The remote key towards a peer, the local one otherwise. */
        FITTING(""),
        /** The local key. */
        LKEY("lkey:"),
        /** The remote key. */
        RKEY("rkey:");

        private final String prefix;

        Which(String prefix) {
            this.prefix = prefix;
        }
    }

    private static final Pattern NAMED = Pattern.compile("(lkey:|rkey:)?" + Forms.NAME);

    private static final Form<KeyRef> OF_REGION = Forms.parsed(
            "a number, the name of a region, or its lkey:NAME or rkey:NAME",
            NAMED,
            KeyRef::parse,
            key -> key.which.prefix + key.region);

    /** In a file. */
    public static final Form<KeyRef> FORM = Forms.either(
            Forms.converted(Forms.halfWord(), KeyRef::of, KeyRef::number),
            key -> key.region == null,
            OF_REGION,
            "a key: a number, the name of a region, or lkey:NAME or rkey:NAME");

    /** A key as a number. */
    public static KeyRef of(int number) {
        return new KeyRef(null, Which.FITTING, number);
    }

    /** The fitting key of another region than that of the address. */
    public static KeyRef of(String region) {
        return new KeyRef(region, Which.FITTING, 0);
    }

    private static KeyRef parse(String text) {
        for (Which which : new Which[] {Which.LKEY, Which.RKEY}) {
            if (text.startsWith(which.prefix)) {
                return new KeyRef(text.substring(which.prefix.length()), which, 0);
            }
        }
        return of(text);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.verbs.Rule;
import org.jspecify.annotations.Nullable;

/** An access that is allowed, by why it is. */
public enum Allowed implements Decision {
    /** Key, domain, right and range were looked at: no rule is reported of that. */
    BY_KEY(null, null),
    /** A peer asks for no bytes: no key is looked at. */
    NO_BYTES(Rule.MR_31, Rule.MW_109),
    /** An element of no bytes: its key is not looked at. */
    NO_BYTES_OF_ELEMENT(Rule.MR_32, null),
    /** The device reads an element, which needs no right. */
    LOCAL_READ(Rule.MR_10, null);

    /** The rule that has it so; null if none is reported. */
    public final @Nullable Rule rule;

    /** What the same rule is called where the key is that of a window; null if none is reported. */
    public final @Nullable Rule windowRule;

    Allowed(@Nullable Rule rule, @Nullable Rule windowRule) {
        this.rule = rule;
        this.windowRule = windowRule;
    }
}

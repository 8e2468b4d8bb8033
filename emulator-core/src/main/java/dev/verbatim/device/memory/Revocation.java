// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.verbs.Rule;

/** What ended the validity of a key, with the rule that has it so. */
public enum Revocation {
    /** The region was deregistered. */
    DEREGISTRATION(Rule.MR_55, "that has been deregistered", false),
    /** The region was re-registered, or was to be. */
    REREGISTRATION(Rule.MR_65, "that has been re-registered; read its keys again", false),
    /** The window was deallocated. */
    DEALLOCATION(Rule.MW_08, "deallocation", false),
    /** The window of type 1 was bound again. */
    REBIND(Rule.MW_23, "a rebind on qp", true),
    /** The window of type 1 was bound to nothing. */
    UNBIND(Rule.MW_24, "a bind of no bytes on qp", true),
    /** The window of type 2 was invalidated by its owner. */
    LOCAL_INV(Rule.MW_80, "LOCAL_INV on qp", true),
    /** The window of type 2 was invalidated by its user. */
    SEND_WITH_INV(Rule.MW_84, "SEND_WITH_INV from qp", true);

    private static final Revocation[] ALL = values();

    private final Rule rule;
    private final String text;
    private final boolean namesQp;

    Revocation(Rule rule, String text, boolean namesQp) {
        this.rule = rule;
        this.text = text;
        this.namesQp = namesQp;
    }

    static Revocation numbered(int ordinal) {
        return ALL[ordinal];
    }

    /** The rule after which the key is dead. */
    Rule rule() {
        return rule;
    }

    /** As it follows "revoked by"; of a region, as it follows "a region". */
    String describe(int qpNumber) {
        return namesQp ? text + " 0x" + Integer.toHexString(qpNumber) : text;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.verbs.Rule;

/** The steps in which a responder takes a request, in the order in which the specification has them (H.3). */
enum ResponderStep {
    PSN(Rule.H3_2),
    OPCODE_SEQUENCE(Rule.H3_3),
    OPERATION(Rule.H3_4),
    LENGTH(Rule.H3_5),
    RESOURCES(Rule.H3_6),
    KEY(Rule.H3_7),
    EXECUTE(Rule.H3_8),
    ACKNOWLEDGE(Rule.H3_9),
    REPEATED(Rule.H3_2),

    /** A run that is not all as it should be is taken packet by packet. */
    IN_PARTS(Rule.H3_2),

    DONE(Rule.H3_9);

    private final Rule rule;

    ResponderStep(Rule rule) {
        this.rule = rule;
    }

    /** The rule that has it. */
    Rule rule() {
        return rule;
    }
}

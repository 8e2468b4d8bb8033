// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

/** The steps in which a responder takes a request, in the order in which the specification has them (H.3). */
enum ResponderStep {
    PSN("H3-2"),
    OPCODE_SEQUENCE("H3-3"),
    OPERATION("H3-4"),
    LENGTH("H3-5"),
    RESOURCES("H3-6"),
    KEY("H3-7"),
    EXECUTE("H3-8"),
    ACKNOWLEDGE("H3-9"),
    REPEATED("H3-2"),

    /** A run that is not all as it should be is taken packet by packet. */
    IN_PARTS("H3-2"),

    DONE("H3-9");

    private final String rule;

    ResponderStep(String rule) {
        this.rule = rule;
    }

    /** The rule that has it. */
    String rule() {
        return rule;
    }
}

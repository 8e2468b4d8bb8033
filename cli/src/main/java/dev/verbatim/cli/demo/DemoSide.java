// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

/** One side of the demo: in this JVM, or at the other end of a conversation. */
interface DemoSide {

    /** Does what has to be done before the other side performs the step. */
    void prepare(DemoStep step);

    /** Posts the request of the step and waits for its completion. */
    StepOutcome perform(DemoStep step);

    /**
     * How the step that the other side performed ended for this one.
     *
     * @param otherIsContent whether the other's request ended as expected; if not, this side does not wait
     */
    StepOutcome conclude(DemoStep step, boolean otherIsContent);
}

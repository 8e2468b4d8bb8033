// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

/** One side of the dialogue: in this JVM, or at the other end of a conversation. */
interface Actor {

    /** Does what has to be done before the other side performs the step. */
    void prepare(Step step);

    /** Posts what the step asks for, and says how it ended. */
    Outcome perform(Step step);

    /**
     * How the step that the other side performed ended for this one.
     *
     * @param otherIsContent whether the other's request ended as it should; if not, this side does not wait for anything
     */
    Outcome conclude(Step step, boolean otherIsContent);
}

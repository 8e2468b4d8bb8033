// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

/** Right, as left sees it: in the same JVM, or at the other end of a conversation. */
interface Counterpart {

    /** Does what right has to do before left may post. */
    void prepare(Step step);

    /**
     * How the step ended for right.
     *
     * @param leftIsContent whether left's request ended as it should; if not, right does not wait for anything
     */
    Outcome conclude(Step step, boolean leftIsContent);
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.check.StepObjects;
import dev.verbatim.conformance.scenario.node.StepContext;
import java.util.List;

/**
 * One step of a program. To add a word: a record with a {@link StepWord}, which says how it is written, and a row in the
 * table of words.
 */
public interface Step {

    /** Reports names that stand for nothing. */
    default void check(NameScope scope) {}

    /** Numbers that stand in the step where memory is needed. */
    default List<Long> literals() {
        return List.of();
    }

    /** The objects with a name that the step makes. */
    default StepObjects makes() {
        return StepObjects.NONE;
    }

    /** Steps that are part of it, of which the program takes some in its place. */
    default List<Step> inner() {
        return List.of();
    }

    /** Whether it needs a fabric whose links fail on command. */
    default boolean needsFaults() {
        return false;
    }

    /**
     * Whether memory has what the thread stored before, when the step is taken: true of all but loads, stores and computations, as verbs and
     * signals take locks.
     */
    default boolean waitsForStores() {
        return true;
    }

    /** Whether it can be taken now. Looks at memory and queues, posts nothing and does not wait. */
    default boolean isReady(StepContext context) {
        return true;
    }

    /**
     * Whether the step is ready as long as one signal is set, or one place in memory has one value, whatever else happened. So what makes it
     * ready comes before it.
     */
    default boolean awaitsValue(StepContext context) {
        return false;
    }

    /** Takes the step; it is ready. */
    void run(StepContext context);
}

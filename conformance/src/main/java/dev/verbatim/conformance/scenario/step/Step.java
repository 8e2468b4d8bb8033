// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.YamlText;
import java.util.List;

/**
 * One step of a program. To add a word: a record that says here what it does, and a row in {@link StepWords} that says how
 * it is written.
 */
public interface Step {

    /** Reports names that nobody has. */
    default void check(Scope scope) {}

    /** Numbers that stand in the step where memory is needed. */
    default List<Long> literals() {
        return List.of();
    }

    /** Regions that the step makes. */
    default List<Register> registers() {
        return List.of();
    }

    /** Names of windows that the step allocates. */
    default List<String> windows() {
        return List.of();
    }

    /** Whether it needs a fabric whose links fail on command. */
    default boolean needsFaults() {
        return false;
    }

    /** Whether it can be taken now. Looks at memory and queues, posts nothing and does not wait. */
    default boolean isReady(Workbench bench) {
        return true;
    }

    /** Takes the step; it is ready. */
    void run(Workbench bench);

    /** As it would stand in a file, on one line. */
    default String text() {
        return YamlText.line(StepWords.FORM.write(this));
    }
}

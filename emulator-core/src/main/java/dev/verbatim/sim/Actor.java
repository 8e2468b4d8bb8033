// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.List;
import java.util.function.BooleanSupplier;

/** A program of a simulation that runs step by step; between its steps others may act. */
public interface Actor {

    /** Its name; one of its own in the simulation. */
    String name();

    /** Where in its source its present step is, such as a file and a line; empty if it is code, whose stack says it. */
    default String source() {
        return "";
    }

    /** Whether it has come to its end. */
    boolean isDone();

    /**
     * Whether it can take its next step now, or waits for something. It may poll completion queues, but must neither post nor
     * wait. Asked again after each event.
     */
    boolean canStep();

    /**
     * Whether {@link #canStep} is about one thing at a time: a completion, an event, a word, a signal. Of two things that have to be so
     * together another program may change the first before the second comes, and exploration has to know.
     */
    default boolean awaitsOneThing() {
        return false;
    }

    /**
     * What steps wait for: that a place in memory has a value, or, if it is always written as a whole, one of several; or that a signal is
     * set. Each is asked after each event, so that an exploration knows what cannot come behind the step that waits for it.
     */
    default List<BooleanSupplier> conditions() {
        return List.of();
    }

    /** Which of {@link #conditions} is what the next step waits for; -1 if it waits for none, or for something else too. */
    default int condition() {
        return -1;
    }

    /** Whether its steps may add programs to the simulation; steps of code may, and those of files do not. */
    default boolean mayAddPrograms() {
        return false;
    }

    /** Takes one step, which must not wait: posts a request, looks at memory, closes something. */
    void step();
}

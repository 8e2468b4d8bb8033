// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

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

    /** Takes one step, which must not wait: posts a request, looks at memory, closes something. */
    void step();
}

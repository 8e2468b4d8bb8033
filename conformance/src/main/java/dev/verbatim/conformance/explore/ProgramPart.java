// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.step.Step;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be left out of a program to make it smaller.
 *
 * @param extra what it is if it is no step
 * @param node whose step
 * @param step the step; of a chain, one of its requests
 * @param chain number of the chain that it belongs to; 0 for none
 */
record ProgramPart(
        @Nullable Extra extra, String node, @Nullable Step step, int chain) {

    /** What makes a program larger besides its steps. */
    enum Extra {
        /** Nodes, queues, connections and regions that no step needs. */
        UNUSED,
        /** Profiles that are not strict. */
        PROFILES,
        /** Platforms, memory domains and their kernels. */
        DOMAINS,
        /** That keys, queue pairs and timers have numbers that are drawn. */
        NUMBERS,
        /** That faults may happen. */
        FAULTS
    }

    static ProgramPart of(Extra extra) {
        return new ProgramPart(extra, "", null, 0);
    }

    static ProgramPart of(String node, Step step, int chain) {
        return new ProgramPart(null, node, step, chain);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.cli.output.Line;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a step ended for one side.
 *
 * @param side which
 * @param asExpected whether it ended as the script says
 * @param observed what its program saw, in words
 */
record StepOutcome(String side, boolean asExpected, List<String> observed) {

    /** Keeps a copy of the list. */
    public StepOutcome {
        observed = List.copyOf(observed);
    }

    /** A few words on what was seen, and what should have been if it is something else; null is nothing. */
    static String seen(String verb, @Nullable Object seen, Object expected) {
        String words = verb + " " + (seen == null ? "nothing" : seen);
        return expected.equals(seen) ? words : words + " instead of " + expected;
    }

    /** What the same side saw besides. */
    StepOutcome and(StepOutcome other) {
        List<String> all = new ArrayList<>(observed);
        all.addAll(other.observed);
        return new StepOutcome(side, asExpected && other.asExpected, all);
    }

    /** The same for a program. */
    Line line(DemoStep step) {
        return new OutcomeLine(step.number(), side, asExpected, observed);
    }

    private record OutcomeLine(int step, String side, boolean asExpected, List<String> observed) implements Line {}
}

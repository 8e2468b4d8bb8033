// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import static dev.verbatim.testing.Outcomes.asserted;

import dev.verbatim.conformance.windows.trial.Trial;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Whatever a program does with memory windows, devices do what the reference model does. */
class ReferenceModelPropertiesTest {

    private static final Tally TALLY = new Tally();

    @net.jqwik.api.lifecycle.AfterContainer
    static void tell() {
        System.out.println(TALLY.steps());
        TALLY.outcomes().forEach((k, v) -> System.out.println(v + " " + k));
    }

    @Property(tries = 900, seed = "4", edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void windows2BAreAsTheModelHasThem(@ForAll("programs") Program program) {
        Trial.run("STRICT_2B", program, TALLY);
        asserted();
    }

    @Provide
    Arbitrary<Program> programs() {
        return Programs.any();
    }
}

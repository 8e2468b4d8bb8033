// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Tries;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Of each choice point a program that shows what it permits: explored with the point on, and with it off. Programs run on the
 * left; {@code x} and {@code y} are words of the right.
 */
@Rule({
    "N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9", "N10", "N11", "N12", "N13", "N14", "N15", "N16", "N17", "N18",
    "ORD-02", "ORD-13", "ORD-18", "ORD-21", "ORD-22", "ORD-34", "ORD-35", "ORD-40", "VIS-08", "VIS-10", "VIS-16"
})
class ChoicePointLitmusTest extends ChoicePointPrograms {

    @Test
    void eachPointHasItsProgram() {
        assertThat(PROGRAMS).containsOnlyKeys(ChoicePoint.values());
    }

    @ParameterizedTest
    @EnumSource
    void pointShowsWhatItPermitsAndNothingOfItWhenItIsOff(ChoicePoint point) {
        assumeTrue(point != ChoicePoint.FAULT_LENGTH || Tries.isLong(), "a fault has a thousand lengths");
        Litmus litmus = PROGRAMS.get(point);
        OpenChoices off = new OpenChoices(litmus.besides().points(), 1);
        assertThat(outcomes(off, point, litmus)).as("off").containsExactlyInAnyOrder(litmus.off());
        assertThat(outcomes(off.with(point), point, litmus)).as("on").containsExactlyInAnyOrder(litmus.on());
        RuleCoverage.assertOutcome();
    }
}

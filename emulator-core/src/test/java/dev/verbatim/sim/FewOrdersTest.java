// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.SmallPlan.Deed;
import dev.verbatim.sim.SmallPlan.Feature;
import dev.verbatim.sim.SmallPlan.Step;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many executions a program takes, all of whose orders are free, where few of them differ. */
class FewOrdersTest {

    /** Only whether an acknowledgement comes before the next request asks for two orders. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "4, 8"})
    void writesThatNobodyWatches(int count, long expected) {
        Step write = new Step(Deed.WRITE, 0, 0, 0, false, false, false);
        OpenChoices orders = OpenChoices.NONE;
        for (ChoicePoint point : ChoicePoint.values()) {
            orders = point.isOfTurns() ? orders.with(point) : orders;
        }
        List<List<Step>> programs = List.of(Collections.nCopies(count, write), List.of());
        SmallPlan plan = new SmallPlan(0, 1, false, false, false, false, programs, orders, Set.of(Feature.PLAIN));
        Explored explored = new Exploration(orders).run(new SmallProgram(plan));
        System.out.println(count + " WRITEs: " + explored.executions() + " executions, " + explored.abandoned()
                + " abandoned, " + explored.events() + " events");
        assertThat(explored.isComplete()).isTrue();
        assertThat(explored.outcomes()).hasSize(1);
        assertThat(explored.executions()).isEqualTo(expected);
        assertThat(explored.abandoned()).isZero();
    }
}

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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many executions a program takes of whose orders few differ. */
class FewOrdersTest {

    /** Only whether an acknowledgement comes before the next request asks for two orders. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "4, 8"})
    void writesThatNobodyWatches(int count, long expected) {
        Explored explored =
                explore(Collections.nCopies(count, new Step(Deed.WRITE, 0, 0, 0, false, false, false)), List.of());
        assertThat(explored.outcomes()).hasSize(1);
        assertThat(explored.executions()).isEqualTo(expected);
        assertThat(explored.abandoned()).isZero();
    }

    /** What a READ, an atomic or a FLUSH forces is shown before it: that asks for no further orders. */
    @ParameterizedTest
    @CsvSource({
        "WRITE READ, 3",
        "WRITE WRITE READ, 8",
        "WRITE WRITE WRITE READ, 20",
        "WRITE WRITE READ READ, 34",
        "WRITE WRITE ADD, 8",
        "WRITE FLUSH, 3",
        "WRITE WRITE FLUSH, 8"
    })
    void whatIsForcedComesBefore(String requests, long expected) {
        OpenChoices placed = SourceSetsTest.withAllTurns(OpenChoices.of(ChoicePoint.PLACEMENT));

        Explored explored = explore(program(requests), List.of(), placed);

        assertThat(explored.outcomes()).hasSize(1);
        assertThat(explored.executions()).isEqualTo(expected);
        assertThat(explored.abandoned()).isZero();
    }

    /** A fenced WRITE cannot be sent before the READ has its response. */
    @Test
    void writeThatWaitsForARead() {
        Step read = new Step(Deed.READ, 0, 0, 0, false, false, false);
        Step fenced = new Step(Deed.WRITE, 0, 1, 1, false, true, false);
        Explored explored = explore(List.of(read, fenced), List.of());
        assertThat(explored.executions()).isEqualTo(1);
        assertThat(explored.abandoned()).isZero();
    }

    /** A program that waits for what a WRITE shows: the WRITE cannot be shown behind its step. */
    @Test
    void stepThatWaitsForAWord() {
        Step write = new Step(Deed.WRITE, 0, 0, 0, false, false, false);
        Step load = new Step(Deed.LOAD, 0, 1, 0, false, false, false);
        Step until = new Step(Deed.UNTIL, 0, 0, 0, false, false, false);
        Explored explored = explore(List.of(write), List.of(load, until));
        assertThat(explored.executions()).isEqualTo(1);
        assertThat(explored.abandoned()).isZero();
    }

    /** Points that are off make at most twice as many runs. */
    @ParameterizedTest
    @CsvSource({"WRITE WRITE", "WRITE WRITE WRITE", "WRITE WRITE WRITE WRITE", "WRITE FLUSH", "WRITE WRITE FLUSH"})
    void runsWherePointsAreOff(String requests) {
        List<Step> program = program(requests);
        OpenChoices some = OpenChoices.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.PLACEMENT, ChoicePoint.ARRIVAL);

        Explored open = explore(program, List.of(), SourceSetsTest.withAllTurns(some));
        Explored closed = explore(program, List.of(), some);

        assertThat(open.outcomes().keySet()).containsAll(closed.outcomes().keySet());
        assertThat(closed.executions() + closed.abandoned())
                .isLessThanOrEqualTo(2 * (open.executions() + open.abandoned()));
    }

    private static List<Step> program(String requests) {
        return Stream.of(requests.split(" "))
                .map(deed -> new Step(Deed.valueOf(deed), 0, 0, 0, false, false, false))
                .toList();
    }

    private static Explored explore(List<Step> first, List<Step> second) {
        return explore(first, second, SourceSetsTest.withAllTurns(OpenChoices.NONE));
    }

    private static Explored explore(List<Step> first, List<Step> second, OpenChoices orders) {
        SmallPlan plan =
                new SmallPlan(0, 1, false, false, false, false, List.of(first, second), orders, Set.of(Feature.PLAIN));
        Explored explored = new Exploration(orders).run(AllOrdersTest.shared(new SmallProgram(plan)), null);
        System.out.println(first + " and " + second + " with " + orders + ": " + explored.executions() + " executions, "
                + explored.abandoned() + " abandoned, " + explored.events() + " events");
        assertThat(explored.isComplete()).isTrue();
        return explored;
    }
}

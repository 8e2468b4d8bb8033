// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.ToyProgram.Op;
import dev.verbatim.sim.ToyProgram.Step;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The reduction leaves out executions, and no outcome. */
class ReductionPropertiesTest {

    private static final long MOST = 5_000;

    @Provide
    Arbitrary<ToyProgram> programs() {
        Arbitrary<Step> steps = Combinators.combine(
                        Arbitraries.of(Op.class),
                        Arbitraries.integers().between(0, ToyProgram.CELLS - 1),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.ARRIVAL, ChoicePoint.REQUEST))
                .as(Step::new);
        return Combinators.combine(
                        steps.list().ofMaxSize(4).list().ofMinSize(2).ofMaxSize(4), Arbitraries.of(true, false))
                .as(ToyProgram::new);
    }

    @Provide
    Arbitrary<OpenChoices> freedoms() {
        Arbitrary<Set<ChoicePoint>> off = Arbitraries.of(
                        ChoicePoint.PROGRAM_STEP, ChoicePoint.ARRIVAL, ChoicePoint.REQUEST, ChoicePoint.KEY_INDEX)
                .set()
                .ofMaxSize(2);
        return Combinators.combine(off, Arbitraries.integers().between(0, 2)).as((points, faults) -> {
            OpenChoices openChoices = OpenChoices.LEGAL.withFaults(faults);
            for (ChoicePoint point : points) {
                openChoices = openChoices.without(point);
            }
            return openChoices;
        });
    }

    @Property(tries = 500)
    void reducedAndUnreducedWalksFindTheSameOutcomes(
            @ForAll("programs") ToyProgram program, @ForAll("freedoms") OpenChoices openChoices) {
        Explored all =
                new Exploration(openChoices).unreduced().atMostExecutions(MOST).run(program);
        if (all.isComplete()) {
            Explored reduced = new Exploration(openChoices).run(program);
            assertThat(reduced.isComplete()).isTrue();
            assertThat(reduced.outcomes().keySet()).isEqualTo(all.outcomes().keySet());
            assertThat(reduced.executions()).isLessThanOrEqualTo(all.executions());
            Explored alsoInAllOrders = new Exploration(openChoices).run(AllOrdersTest.shared(program), null);
            assertThat(alsoInAllOrders.isComplete()).isTrue();
            assertThat(alsoInAllOrders.outcomes().keySet())
                    .isEqualTo(all.outcomes().keySet());
        }
    }
}

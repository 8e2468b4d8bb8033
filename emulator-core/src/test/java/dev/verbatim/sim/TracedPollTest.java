// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** That a poll is told to taps is nothing that happens: it adds no execution. */
class TracedPollTest {

    private static final OpenChoices STEPS =
            OpenChoices.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.REQUEST, ChoicePoint.ARRIVAL, ChoicePoint.COMPLETION);

    private final AtomicInteger polled = new AtomicInteger();

    @Test
    void pollIsTracedWithoutAnotherExecution() {
        Tap polls = event -> {
            if (event instanceof TraceEvent.Polled) {
                polled.incrementAndGet();
            }
        };
        assertThat(executionsOfTwoPolls(simulation -> simulation.tap(polls)))
                .isEqualTo(executionsOfTwoPolls(simulation -> simulation));
        assertThat(polled).hasPositiveValue();
    }

    private static long executionsOfTwoPolls(UnaryOperator<Simulation> watched) {
        Explored explored = new Exploration(STEPS).run(schedule -> {
            try (Simulation simulation = watched.apply(new Simulation(schedule, SimulationOptions.TIMELESS))) {
                return AccessLitmus.pollTwice(new LitmusPair(simulation));
            }
        });
        assertThat(explored.isComplete()).isTrue();
        return explored.executions();
    }
}

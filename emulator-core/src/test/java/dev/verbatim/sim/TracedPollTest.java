// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** That a poll is told to taps is nothing that happens: it adds no execution. */
class TracedPollTest {

    private static final OpenChoices STEPS =
            OpenChoices.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.REQUEST, ChoicePoint.ARRIVAL, ChoicePoint.COMPLETION);

    /** As many as before polls were traced. */
    private static final long EXECUTIONS_OF_TWO_POLLS = 244;

    private final AtomicInteger polled = new AtomicInteger();

    @Test
    void pollIsTracedWithoutAnotherExecution() {
        assertThat(executions(AccessLitmus::pollTwice)).isEqualTo(EXECUTIONS_OF_TWO_POLLS);
        assertThat(polled).hasPositiveValue();
    }

    private long executions(Function<LitmusPair, String> program) {
        Tap polls = event -> {
            if (event instanceof TraceEvent.Polled) {
                polled.incrementAndGet();
            }
        };
        Explored explored = new Exploration(STEPS).run(schedule -> {
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS).tap(polls)) {
                return program.apply(new LitmusPair(simulation));
            }
        });
        assertThat(explored.isComplete()).isTrue();
        return explored.executions();
    }
}

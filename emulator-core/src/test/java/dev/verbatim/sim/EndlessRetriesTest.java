// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcPair;
import dev.verbatim.fabric.Choices;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run in which nothing is left but requests that are asked for again without an end has ended, and says which; a late receive is met. */
class EndlessRetriesTest {

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final long DEFAULT = -1;

    private static Simulation simulation(long seed) {
        Schedule schedule = seed == DEFAULT
                ? Schedule.by(Choices.canonical(), OpenChoices.NONE)
                : Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL);
        return new Simulation(schedule, SimulationOptions.USUAL.withMostEvents(2_000));
    }

    @ParameterizedTest
    @ValueSource(longs = {DEFAULT, 0, 1, 2, 3, 4, 5, 6, 7})
    @Rule({"RT-03", "N-08"})
    void waitForAReceiverThatIsNeverReadyEnds(long seed) {
        try (Simulation simulation = simulation(seed)) {
            RcPair rc = RcPair.connect(simulation.open("a"), simulation.open("b"));
            simulation.node("a", node -> {
                rc.left().qp().postSend(SendWorkRequest.send(1, rc.left().sge(0, 8)));
                rc.left().sent().awaitCompletion(FOREVER);
            });
            simulation.node("b", node -> rc.right().received().awaitCompletion(FOREVER));
            assertThatThrownBy(simulation::run)
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("EDEADLK");
            assertThat(rc.left().qp().device().standstills())
                    .singleElement()
                    .asString()
                    .contains("the oldest SEND wr_id=1", "rnr_retry=7 asks for ever; post a receive to qp ");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {DEFAULT, 0, 1, 2, 3, 4, 5, 6, 7})
    @Rule({"RT-03", "RT-04"})
    void receiverThatIsReadyAfterAllIsMet(long seed) {
        try (Simulation simulation = simulation(seed)) {
            RcPair rc = RcPair.connect(simulation.open("a"), simulation.open("b"));
            simulation.node("a", node -> {
                rc.left().qp().postSend(SendWorkRequest.send(1, rc.left().sge(0, 8)));
                assertThat(rc.left().sent().awaitCompletion(FOREVER).isSuccess())
                        .isTrue();
            });
            simulation.node("b", node -> {
                assertThatThrownBy(() -> rc.right().received().awaitCompletion(Duration.ofSeconds(1)))
                        .hasMessageContaining("ETIMEDOUT");
                rc.right().qp().postRecv(ReceiveWorkRequest.of(2, rc.right().sge(0, 8)));
                assertThat(rc.right().received().awaitCompletion(FOREVER).isSuccess())
                        .isTrue();
            });
            assertThat(simulation.run()).isTrue();
        }
    }
}

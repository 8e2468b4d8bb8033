// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.fabric.Choices;
import dev.verbatim.trace.JsonLinesTap;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run is repeated event for event, byte for byte. */
@Tag("smoke")
class SimulationReplayTest {

    private static final OpenChoices OPEN = OpenChoices.LEGAL.withFaults(3);
    private static final SimulationOptions OPTIONS =
            SimulationOptions.USUAL.withFaults(LinkFaults.NONE.dropping(50).duplicating(50));

    private static String traced(Choices choices) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        run(choices, lines);
        return lines.toString(StandardCharsets.UTF_8);
    }

    private static ChoiceList recorded(Choices choices, boolean traced) {
        ChoiceRecord record = Choices.recorded(choices);
        run(record, traced ? new ByteArrayOutputStream() : null);
        return record.list();
    }

    private static void run(Choices choices, OutputStream trace) {
        try (Simulation simulation = new Simulation(Schedule.by(choices, OPEN), OPTIONS)) {
            if (trace != null) {
                simulation.tap(new JsonLinesTap(trace));
            }
            RcPair rc = RcPair.connect(simulation.open("left"), simulation.open("right"));
            for (RcPeer side : List.of(rc.left(), rc.right())) {
                RcPeer peer = side.equals(rc.left()) ? rc.right() : rc.left();
                peer.qp().postRecv(peer.receive(1, 64, 8));
                simulation.node(side.device().name(), node -> {
                    node.store(side.memory(), 0, 7);
                    side.qp().postSend(side.write(2, 0, 24, peer));
                    side.qp().postSend(side.read(3, 32, 16, peer));
                    side.qp().postSend(side.send(4, 0, 8));
                    for (int i = 0; i < 3; i++) {
                        side.sent().awaitCompletion(Duration.ofSeconds(60));
                    }
                    side.received().awaitCompletion(Duration.ofSeconds(60));
                    node.load(side.memory(), 64);
                });
            }
            assertThat(simulation.run()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 42, -7})
    void sameSeedGivesTheSameTrace(long seed) {
        String trace = traced(Choices.seeded(seed));
        assertThat(trace)
                .contains("\"kind\":\"shown\"", "\"kind\":\"program\"")
                .isEqualTo(traced(Choices.seeded(seed)));
    }

    @Test
    void otherSeedsGiveOtherTraces() {
        assertThat(traced(Choices.seeded(1))).isNotEqualTo(traced(Choices.seeded(2)));
    }

    @Test
    void canonicalRunIsOneRunAndMakesNoOtherChoices() {
        assertThat(traced(Choices.canonical())).isEqualTo(traced(Choices.canonical()));
        assertThat(recorded(Choices.canonical(), true).trimmed()).isEqualTo(ChoiceList.CANONICAL);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 42, -7})
    void whoeverWatchesChangesNoChoice(long seed) {
        assertThat(recorded(Choices.seeded(seed), true)).isEqualTo(recorded(Choices.seeded(seed), false));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 42, -7})
    void replayedChoicesGiveTheTraceOfTheirSeed(long seed) {
        ChoiceList choices = recorded(Choices.seeded(seed), false);
        assertThat(choices.deviations()).isNotEmpty();
        assertThat(traced(Choices.replayed(ChoiceList.parse(choices.toString()))))
                .isEqualTo(traced(Choices.seeded(seed)));
    }

    @Test
    void memoryOfEachSimulationBeginsAtTheSameAddress() {
        long[] addresses = new long[2];
        for (int i = 0; i < addresses.length; i++) {
            try (Simulation simulation = new Simulation(Schedule.by(Choices.canonical(), OpenChoices.NONE), OPTIONS)) {
                addresses[i] = RcPeer.open(simulation.open("a")).memory().address();
            }
        }
        assertThat(addresses[0]).isEqualTo(addresses[1]);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs on threads of their own, of which one runs at a time. */
@Tag("smoke")
class SimulationTest {

    private static final Duration LONG = Duration.ofDays(1);

    /** Two connected devices of one simulation. */
    private static final class Pair {

        final Simulation simulation;
        final Side left;
        final Side right;

        Pair(Simulation simulation) {
            this.simulation = simulation;
            this.left = new Side(simulation.open("left"), QpCapabilities.USUAL);
            this.right = new Side(simulation.open("right"), QpCapabilities.USUAL);
            RcConnection.connect(left.qp, right.qp);
        }
    }

    private static String explore(OpenChoices openChoices, Function<Pair, String> program) {
        return String.join(" ", explored(openChoices, program).outcomes().keySet());
    }

    private static Explored explored(OpenChoices openChoices, Function<Pair, String> program) {
        Explored explored =
                new Exploration(openChoices).run(schedule -> run(schedule, SimulationOptions.TIMELESS, program));
        return explored;
    }

    private static String run(Schedule schedule, SimulationOptions options, Function<Pair, String> program) {
        try (Simulation simulation = new Simulation(schedule, options)) {
            return program.apply(new Pair(simulation));
        }
    }

    /** WRITE x=1, then READ x. */
    private static String writeThenRead(Pair pair) {
        long[] read = new long[1];
        pair.simulation.node("a", node -> {
            node.store(pair.left.region.memory(), 0, 1);
            pair.left.qp.postSend(
                    SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8)));
            pair.left.qp.postSend(
                    SendWorkRequest.read(2, pair.right.address(0), pair.right.rkey(), pair.left.sge(8, 8)));
            pair.left.sendCq.awaitCompletion(LONG);
            pair.left.sendCq.awaitCompletion(LONG);
            read[0] = node.load(pair.left.region.memory(), 8);
        });
        assertThat(pair.simulation.run()).isTrue();
        return "r=" + read[0];
    }

    private static String readThenWrite(Pair pair, int writeFlags) {
        long[] read = new long[1];
        pair.simulation.node("a", node -> {
            node.store(pair.left.region.memory(), 0, 1);
            pair.left.qp.postSend(
                    SendWorkRequest.read(2, pair.right.address(0), pair.right.rkey(), pair.left.sge(8, 8)));
            pair.left.qp.postSend(
                    SendWorkRequest.write(1, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8))
                            .plus(writeFlags));
            pair.left.sendCq.awaitCompletion(LONG);
            pair.left.sendCq.awaitCompletion(LONG);
            read[0] = node.load(pair.left.region.memory(), 8);
        });
        assertThat(pair.simulation.run()).isTrue();
        return "r=" + read[0];
    }

    @Test
    void readBehindAWriteSeesIt() {
        assertThat(explore(OpenChoices.ORDERS, SimulationTest::writeThenRead)).isEqualTo("r=1");
    }

    @Test
    void readBeforeAWriteSeesOldOrNew() {
        assertThat(explore(OpenChoices.ORDERS, pair -> readThenWrite(pair, 0))).isEqualTo("r=0 r=1");
        assertThat(explore(OpenChoices.of(ChoicePoint.READ_FETCH), pair -> readThenWrite(pair, 0)))
                .isEqualTo("r=0 r=1");
        assertThat(explore(OpenChoices.NONE, pair -> readThenWrite(pair, 0))).isEqualTo("r=0");
        assertThat(explore(OpenChoices.ORDERS, pair -> readThenWrite(pair, SendFlags.FENCE)))
                .isEqualTo("r=0");
    }
}

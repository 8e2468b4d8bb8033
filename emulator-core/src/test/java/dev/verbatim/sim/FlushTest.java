// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes that a device accepted are seen by programs whenever it likes, or when a FLUSH that names them completes. */
class FlushTest {

    private static final Duration LONG = Duration.ofDays(1);

    /** The second word is written, and behind it a FLUSH is posted that names so much. */
    private enum Reach {
        NOTHING(null, 0, false),
        THE_WORD(new FlushTarget(FlushTarget.GLOBAL, FlushTarget.RANGE, 8), 8, true),
        THE_WORD_BEFORE(new FlushTarget(FlushTarget.GLOBAL, FlushTarget.RANGE, 8), 0, false),
        NO_BYTES(new FlushTarget(FlushTarget.GLOBAL, FlushTarget.RANGE, 0), 8, false),
        THE_REGION(new FlushTarget(FlushTarget.GLOBAL, FlushTarget.REGION, 0), 0, true);

        private final @Nullable FlushTarget target;
        private final int offset;
        private final boolean reaches;

        Reach(@Nullable FlushTarget target, int offset, boolean reaches) {
            this.target = target;
            this.offset = offset;
            this.reaches = reaches;
        }
    }

    @ParameterizedTest
    @EnumSource(Reach.class)
    @Rule({"NW-02", "ORD-34"})
    void whatAFlushNamesIsSeenWhenItCompletesAndTheRestWhenItPleases(Reach reach) {
        Explored explored = new Exploration(OpenChoices.of(ChoicePoint.PLACEMENT, ChoicePoint.PROGRAM_STEP))
                .run(schedule -> {
                    try (Simulation simulation =
                            new Simulation(schedule, SimulationOptions.TIMELESS).tap(RuleCoverage::observe)) {
                        return writeAndFlush(simulation, reach);
                    }
                });
        assertThat(explored.isComplete()).isTrue();
        assertThat(explored.outcomes().keySet()).isEqualTo(reach.reaches ? Set.of("42") : Set.of("0", "42"));
        if (reach.target != null) {
            RuleCoverage.assertOutcome();
        }
    }

    private static String writeAndFlush(Simulation simulation, Reach reach) {
        Side left = new Side(simulation.open("left"), QpCapabilities.USUAL);
        Side right = new Side(simulation.open("right"), QpCapabilities.USUAL);
        RcConnection.USUAL.join(left.qp, right.qp);
        Memory memory = Memory.allocate(16);
        MemoryRegion region = right.pd.register(memory, Side.ALL_RIGHTS | AccessFlags.FLUSH_GLOBAL);
        left.bytes().putLong(0, 42);
        boolean[] done = new boolean[1];
        long[] seen = new long[1];
        simulation.node("left", node -> {
            SendWorkRequest write = SendWorkRequest.write(1, region.address() + 8, region.rkey(), left.sge(0, 8));
            FlushTarget target = reach.target;
            if (target == null) {
                left.qp.postSend(write);
            } else {
                left.qp.postSend(write.unsignaled());
                left.qp.postSend(SendWorkRequest.flush(2, region.address() + reach.offset, region.rkey(), target));
            }
            assertThat(left.sendCq.awaitCompletion(LONG).status()).isEqualTo(WcStatus.SUCCESS);
            done[0] = true;
        });
        simulation.node("right", node -> {
            node.await(() -> done[0]);
            seen[0] = node.load(memory, 8);
        });
        assertThat(simulation.run()).isTrue();
        return Long.toString(seen[0]);
    }
}

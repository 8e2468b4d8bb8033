// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A window whose range was not checked when it was bound, and bytes that came through it and are not seen yet. */
class UncheckedWindowRangeTest {

    private static final Duration LONG = Duration.ofDays(1);

    @ParameterizedTest
    @ValueSource(longs = {64, Long.MAX_VALUE})
    @Rule("MW-92")
    void nothingIsSeenLaterThanTheRevocation(long windowBytes) {
        SimulationOptions options = SimulationOptions.TIMELESS.withProfile(DeviceProfile.MLX5_LIKE);
        OpenChoices openChoices = OpenChoices.of(ChoicePoint.PLACEMENT, ChoicePoint.PROGRAM_STEP);
        Explored explored = new Exploration(openChoices).run(schedule -> {
            try (Simulation simulation = new Simulation(schedule, options).tap(RuleCoverage::observe)) {
                return writeAndRevoke(simulation, windowBytes);
            }
        });
        assertThat(explored.isComplete()).isTrue();
        assertThat(explored.outcomes().keySet()).containsExactlyInAnyOrder("0 0 REM_ACCESS_ERR", "42 42 SUCCESS");
        RuleCoverage.assertOutcome();
    }

    private static String writeAndRevoke(Simulation simulation, long windowBytes) {
        Side left = new Side(simulation.open("left"), QpCapabilities.USUAL);
        Side right = new Side(simulation.open("right"), QpCapabilities.USUAL);
        RcConnection.USUAL.withRetries(1, 1, 7, 1).join(left.qp, right.qp);
        Memory memory = Memory.allocate(64);
        MemoryRegion region = right.pd.register(memory, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        MemoryWindow window = right.pd.allocateWindow(MemoryWindowType.TYPE_2);
        BindInfo info = new BindInfo(region, region.address(), windowBytes, AccessFlags.REMOTE_WRITE);
        SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, 0x41, info);
        right.qp.postSend(bind);
        assertThat(right.sent().isSuccess()).isTrue();
        left.bytes().putLong(0, 42);
        WcStatus[] written = new WcStatus[1];
        long[] seen = new long[1];
        simulation.node("left", node -> {
            left.qp.postSend(SendWorkRequest.write(2, region.address(), bind.boundKey(), left.sge(0, 8)));
            written[0] = left.sendCq.awaitCompletion(LONG).status();
        });
        simulation.node("right", node -> {
            right.qp.postSend(SendWorkRequest.localInvalidate(3, bind.boundKey()));
            assertThat(right.sendCq.awaitCompletion(LONG).isSuccess()).isTrue();
            seen[0] = node.load(memory, 0);
        });
        assertThat(simulation.run()).isTrue();
        return seen[0] + " " + memory.buffer().getLong(0) + " " + written[0];
    }
}

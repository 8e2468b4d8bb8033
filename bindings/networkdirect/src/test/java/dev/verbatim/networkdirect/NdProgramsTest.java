// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs of a simulation that share objects of NetworkDirect take turns, and none waits for a monitor that another one holds. */
@Timeout(600)
class NdProgramsTest {

    private static final Duration LONG = Duration.ofDays(1);
    private static final int SEEDS = 20;

    @Test
    void programsTakeResultsFromOneQueue() {
        everySeed((left, right) -> {
            NdResult[] one = NdResult.array(1);
            NdOverlapped overlapped = new NdOverlapped();
            NdStatus posted = post(left, right);
            NdStatus pending = left.cq.notify(NdNotifyType.ERRORS, overlapped);
            int taken = left.cq.getResults(one);
            return posted.isSuccess() && pending.equals(NdStatus.PENDING) && taken <= 1
                    ? left.cq.cancelOverlappedRequests()
                    : NdStatus.INTERNAL_ERROR;
        });
    }

    @Test
    void programsPostToOneQueuePair() {
        everySeed((left, right) -> NdStatuses.first(
                post(left, right), left.qp.receive("receive", left.sge(0, Long.BYTES)), post(left, right)));
    }

    @Test
    void programsBindWindowsOfOneRegion() {
        everySeed((left, right) -> {
            NdMemoryWindow window = left.adapter.createMemoryWindow();
            return NdStatuses.first(
                    left.qp.bind("bind", left.mr, window, left.address(0), Long.BYTES, NdOpFlags.ALLOW_READ),
                    left.qp.invalidate("invalidate", window, 0));
        });
    }

    /** One program waits for what never comes while another one connects with the same adapter. */
    @Test
    void programsWaitForConnectionsOfOneAdapter() {
        for (long seed = 0; seed < SEEDS; seed++) {
            run(seed, (simulation, ends) -> {
                NdSide left = new NdSide(simulation.open("left"));
                NdSide right = new NdSide(simulation.open("right"));
                NdListener listener = left.listen(1);
                NdConnector taker = left.adapter.createConnector(left.file);
                simulation.node("left", node -> {
                    NdOverlapped nobody = new NdOverlapped();
                    ends.add(listener.getConnectionRequest(taker, nobody));
                    ends.add(listener.getOverlappedResult(nobody, LONG));
                });
                simulation.node("its twin", node -> NdSide.meet(left, right).forEach(NdObject::close));
                return List.of(NdStatus.PENDING, NdStatus.PENDING);
            });
        }
    }

    private static NdStatus post(NdSide left, NdSide right) {
        return left.qp.write("write", left.sge(0, Long.BYTES), right.address(0), right.mr.getRemoteToken(), 0);
    }

    /** Two programs of one device do the same. */
    private static void everySeed(Call call) {
        for (long seed = 0; seed < SEEDS; seed++) {
            run(seed, (simulation, ends) -> {
                NdSide left = new NdSide(simulation.open("left"));
                NdSide right = new NdSide(simulation.open("right"));
                NdSide.connect(left, right);
                for (String name : List.of("left", "its twin")) {
                    simulation.node(name, node -> ends.add(call.with(left, right)));
                }
                return List.of(NdStatus.SUCCESS, NdStatus.SUCCESS);
            });
        }
    }

    private static void run(long seed, Plan plan) {
        Schedule schedule = Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL);
        try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
            List<NdStatus> ends = new ArrayList<>();
            List<NdStatus> expected = plan.of(simulation, ends);
            assertThat(simulation.run()).as("seed %d: all programs end", seed).isTrue();
            assertThat(ends).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @FunctionalInterface
    private interface Call {
        NdStatus with(NdSide left, NdSide right);
    }

    /** Adds programs, and says how their calls end. */
    @FunctionalInterface
    private interface Plan {
        List<NdStatus> of(Simulation simulation, List<NdStatus> ends);
    }
}

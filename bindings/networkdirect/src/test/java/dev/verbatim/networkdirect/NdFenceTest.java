// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.Exploration;
import dev.verbatim.sim.Explored;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * MW-7 (5.4): a Read, and an Invalidate behind it of a window over the memory that is read into. In every order that the device may choose; what is
 * seen is when the window lets go of its region.
 */
class NdFenceTest {

    private static final long READ = 0x4711;

    /** What there is to be seen; not one of them is as if the Invalidate had never been. */
    private static final String BUSY = "bound still";

    private static final String IN_ORDER = "unbound, and read";
    private static final String EARLY = "unbound, and not read yet";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void mw7_unfencedInvalidateMayOvertakeTheReadBeforeItAndAFencedOneNever(boolean fenced) {
        int flags = fenced ? NdOpFlags.READ_FENCE : 0;
        // A device that takes no liberties keeps the order by itself.
        assertThat(outcomes(OpenChoices.of(ChoicePoint.ARRIVAL), flags)).containsExactlyInAnyOrder(BUSY, IN_ORDER);
        Set<String> all = outcomes(OpenChoices.of(ChoicePoint.ARRIVAL, ChoicePoint.EARLY_LOCAL_INVALIDATE), flags);
        if (fenced) {
            assertThat(all).containsExactlyInAnyOrder(BUSY, IN_ORDER);
        } else {
            assertThat(all).containsExactlyInAnyOrder(BUSY, IN_ORDER, EARLY);
        }
    }

    private static Set<String> outcomes(OpenChoices openChoices, int flags) {
        Explored explored = new Exploration(openChoices).run(schedule -> run(schedule, flags));
        assertThat(explored.isComplete()).isTrue();
        return explored.outcomes().keySet();
    }

    private static String run(Schedule schedule, int flags) {
        try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
            NdSide left = new NdSide(simulation.open("left"));
            NdSide right = new NdSide(simulation.open("right"));
            NdSide.connect(left, right);
            right.bytes().putLong(0, READ);
            NdMemoryRegion region = left.register(left.memory, NdMrFlags.ALLOW_LOCAL_WRITE);
            NdMemoryWindow window = left.adapter.createMemoryWindow();
            assertThat(left.qp.bind("bind", region, window, region.addressOf(0), 8, NdOpFlags.ALLOW_READ))
                    .isEqualTo(NdStatus.SUCCESS);
            left.succeeds(NdRequestType.BIND, "bind");
            String[] seen = new String[1];
            simulation.node("left", node -> {
                assertThat(left.qp.read("read", left.sge(0, 8), right.address(0), right.mr.getRemoteToken(), 0))
                        .isEqualTo(NdStatus.SUCCESS);
                assertThat(left.qp.invalidate("invalidate", window, flags)).isEqualTo(NdStatus.SUCCESS);
                NdStatus status = region.deregister(NdOverlapped.suppressPort());
                boolean isRead = node.load(left.memory, 0) == READ;
                seen[0] = status.equals(NdStatus.DEVICE_BUSY) ? BUSY : isRead ? IN_ORDER : EARLY;
            });
            assertThat(simulation.run()).isTrue();
            // However it was, the Read is told of first, and is whole.
            left.succeeds(NdRequestType.READ, "read");
            assertThat(left.bytes().getLong(0)).isEqualTo(READ);
            left.succeeds(NdRequestType.INVALIDATE, "invalidate");
            return Objects.requireNonNull(seen[0]);
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.testing.FootprintCheck;
import dev.verbatim.testing.Tries;
import org.junit.jupiter.api.Test;

/** Events of real devices that say they do not touch each other may change places, and exploration may rely on it. */
class FootprintsOfSimulationTest {

    private static final int PROGRAMS = Tries.of("footprints.programs", 10, 100, 1_000);
    private static final int SMALL_PROGRAMS = Tries.of("footprints.small", 100, 1_500, 10_000);
    private static final int STRIDE = 7;
    private static final int LOOKS = 40;
    private static final int CONNECTIONS = 30;

    @Test
    void neighboursThatDoNotTouchEachOtherMayChangePlaces() {
        for (long seed = 0; seed < PROGRAMS; seed++) {
            SimulatedTraffic traffic = new SimulatedTraffic(seed, 3 + (int) (seed % 8));
            FootprintCheck check = new FootprintCheck(OpenChoices.LEGAL, traffic);
            assertThat(check.difference(seed * 31, (int) (seed % STRIDE), STRIDE))
                    .as("%s", traffic)
                    .isNull();
        }
    }

    /** With INLINE, shared receives, connections, windows, events, atomics, faults and datagrams. */
    @Test
    void neighboursInSmallProgramsMayChangePlaces() {
        for (long seed = 1; seed <= SMALL_PROGRAMS; seed++) {
            SmallPlan plan = SmallPlan.of(seed);
            OpenChoices openChoices = seed % 2 == 0 ? plan.openChoices() : OpenChoices.LEGAL;
            FootprintCheck check = new FootprintCheck(openChoices, new SmallProgram(plan));
            assertThat(check.difference(seed * 31, (int) (seed % 2), 2))
                    .as("%s", plan)
                    .isNull();
        }
    }

    @Test
    void smallProgramsMakeAndEndConnections() {
        StringBuilder outcomes = new StringBuilder();
        int programs = 0;
        for (long seed = 1; programs < CONNECTIONS; seed++) {
            SmallPlan plan = SmallPlan.of(seed);
            if (plan.features().contains(SmallPlan.Feature.CM)) {
                programs++;
                outcomes.append(new SmallProgram(plan).run(Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL)));
            }
        }
        assertThat(outcomes).contains("CONNECT_REQUEST", "CONNECT_RESPONSE", "ESTABLISHED", "DISCONNECTED");
    }

    @Test
    void neighboursThatDoNotTouchTheSameWindowsMayChangePlaces() {
        for (OpenChoices openChoices :
                new OpenChoices[] {OpenChoices.LEGAL, OpenChoices.LEGAL.without(ChoicePoint.ARRIVAL)}) {
            for (long seed = 0; seed < PROGRAMS; seed++) {
                SimulatedWindows windows = new SimulatedWindows(seed, 3 + (int) (seed % 8));
                FootprintCheck check = new FootprintCheck(openChoices, windows);
                assertThat(check.difference(seed * 31, (int) (seed % STRIDE), STRIDE))
                        .as("%s", windows)
                        .isNull();
            }
        }
    }

    @Test
    void neighboursMayChangePlacesWhereSomeOrderIsFixed() {
        for (long seed = 0; seed < PROGRAMS; seed++) {
            SimulatedTraffic traffic = new SimulatedTraffic(seed, 3 + (int) (seed % 8));
            FootprintCheck check = new FootprintCheck(OpenChoices.LEGAL.without(ChoicePoint.REQUEST), traffic);
            assertThat(check.difference(seed * 31, (int) (seed % STRIDE), STRIDE))
                    .as("%s", traffic)
                    .isNull();
        }
    }

    /** Behind the last event that is possible a program is let go that waited; that is so whichever was the last. */
    @Test
    void whatAProgramChoosesThatIsLetGoBelongsToNoEventBeforeIt() {
        FootprintCheck check =
                new FootprintCheck(OpenChoices.LEGAL.without(ChoicePoint.REQUEST), new SimulatedTraffic(86, 5));

        assertThat(check.difference(86, 0, 1)).isNull();
    }

    @Test
    void whoAsksAChannelHasLookedAtCompletions() {
        FootprintCheck check = new FootprintCheck(OpenChoices.LEGAL, schedule -> {
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                return EventLitmus.lookAtAChannel(new LitmusPair(simulation));
            }
        });
        for (long seed = 0; seed < LOOKS; seed++) {
            assertThat(check.difference(seed, 0, 1)).isNull();
        }
    }
}

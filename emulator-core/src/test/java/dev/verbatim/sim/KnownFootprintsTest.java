// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.VerbsException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A walk is not told again what events touched that a run repeats: it comes to know the same of each run as one that is told everything. */
class KnownFootprintsTest {

    private static final int PROGRAMS = Tries.of("walks.known", 3, 100, 5_000);
    private static final long FIRST_SEED = Long.getLong("verbatim.walks.known.from", 1);
    private static final long MOST_RUNS = 150;

    /** A link is cut, which devices do not tell, in what its runs repeat. */
    private static final long WITH_CUT = 92;

    /** The exploration, and what its walk knew of each event of each run. */
    private static List<String> known(Exploration.Program program, OpenChoices openChoices, boolean tellsAll) {
        List<String> known = new ArrayList<>();
        Explored explored = new Exploration(openChoices)
                .atMostExecutions(MOST_RUNS)
                .run(schedule -> {
                    try {
                        return program.run(tellsAll ? weighingAlways(schedule) : schedule);
                    } finally {
                        if (schedule instanceof DepthFirstExploration walk) {
                            walk.path()
                                    .forEach(node -> known.add(node.touchedNow + " " + node.awaited + " " + node.last));
                        }
                    }
                });
        known.add(explored.toString());
        return known;
    }

    private static Schedule weighingAlways(Schedule schedule) {
        return (Schedule) Proxy.newProxyInstance(
                Schedule.class.getClassLoader(), new Class<?>[] {Schedule.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "weighsNow":
                            return true;
                        case "reporting":
                            return new ReportingSchedule((Schedule) proxy, (ChoiceListener) arguments[0]);
                        default:
                            return invoke(method, schedule, arguments);
                    }
                });
    }

    private static Object invoke(Method method, Schedule schedule, Object[] arguments) throws Throwable {
        try {
            return method.invoke(schedule, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void walkKnowsOfRandomProgramsWhatItWouldBeTold() {
        for (long seed : LongStream.concat(LongStream.range(FIRST_SEED, FIRST_SEED + PROGRAMS), LongStream.of(WITH_CUT))
                .toArray()) {
            SmallPlan plan = SmallPlan.of(seed);
            SmallProgram program = new SmallProgram(plan);
            for (OpenChoices openChoices :
                    List.of(plan.openChoices(), SourceSetsTest.withAllTurns(plan.openChoices()))) {
                assertThat(known(program, openChoices, false))
                        .as("%s", plan)
                        .isEqualTo(known(program, openChoices, true));
            }
        }
    }

    /** It is let go when nothing is possible, and what it does then belongs to the event that is next. */
    @Test
    void walkKnowsWhatAProgramDidThatWaitedInVain() {
        OpenChoices openChoices = OpenChoices.NONE.with(ChoicePoint.PROGRAM_STEP);
        Exploration.Program program = schedule -> {
            boolean[] isOver = {false};
            StringBuilder order = new StringBuilder();
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                simulation.node("a", node -> {
                    try {
                        node.await(() -> false);
                    } catch (VerbsException never) {
                        simulation.shared("state", true);
                        isOver[0] = true;
                    }
                });
                for (String name : List.of("b", "c")) {
                    simulation.node(name, node -> {
                        node.await(() -> isOver[0]);
                        order.append(name);
                    });
                }
                simulation.run();
            }
            return order.toString();
        };

        List<String> known = known(program, openChoices, false);

        assertThat(known).isEqualTo(known(program, openChoices, true));
        assertThat(known.get(known.size() - 1)).contains("2 outcomes");
    }
}

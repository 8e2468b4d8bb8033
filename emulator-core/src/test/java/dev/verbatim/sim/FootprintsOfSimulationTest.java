// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Events of real devices that say they do not touch each other may change places, and exploration may rely on it. */
class FootprintsOfSimulationTest {

    private static final int PROGRAMS = 150;
    private static final int LONGEST = 60;

    @Test
    void neighboursThatDoNotTouchEachOtherMayChangePlaces() {
        for (long seed = 0; seed < PROGRAMS; seed++) {
            SimulatedTraffic traffic = new SimulatedTraffic(seed, 3 + (int) (seed % 8));
            FootprintCheck check = new FootprintCheck(Freedom.LEGAL, traffic);
            for (int place = (int) (seed % 7); place < LONGEST; place += 7) {
                assertThat(check.difference(seed * 31 + place, place))
                        .as("%s", traffic)
                        .isNull();
            }
        }
    }

    @Test
    void order() {
        java.util.Map<String, Integer> kinds = new java.util.TreeMap<>();
        for (long seed = 0; seed < PROGRAMS; seed++) {
            SimulatedTraffic traffic = new SimulatedTraffic(seed, 3 + (int) (seed % 8));
            FootprintCheck check = new FootprintCheck(
                    Freedom.LEGAL.without(ChoicePoint.LINK_DROP).without(ChoicePoint.PLACEMENT), traffic);
            for (int place = (int) (seed % 7); place < LONGEST; place += 7) {
                String difference = check.difference(seed * 31 + place, place);
                if (difference != null) {
                    String[] lines = difference.split("\n", -1);
                    String kind = (lines[1].trim().split(" \\[", -1)[0] + " | "
                                    + lines[2].trim().split(" \\[", -1)[0])
                            .replaceAll("[0-9]+", "#")
                            .replaceAll("fe#[:#]* > fe#[:#]*", "=>");
                    if (kinds.merge(kind, 1, Integer::sum) == 1) {
                        System.out.println("program " + seed + " "
                                + difference
                                        .replace("Touch[object=", "[")
                                        .replace(", from=0, to=1, changes=true", " c")
                                        .replace(", from=0, to=1, changes=false", " l"));
                    }
                }
            }
        }
        System.out.println(kinds);
    }

    @Test
    void reduced() {
        int compared = 0;
        long[] sums = new long[3];
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            EnumSet<ChoicePoint> on = EnumSet.noneOf(ChoicePoint.class);
            for (ChoicePoint point : ChoicePoint.values()) {
                if (point.kind() == ChoicePoint.Kind.ORDER && random.nextInt(3) == 0) {
                    on.add(point);
                }
            }
            Freedom freedom = new Freedom(on, 0);
            SimulatedTraffic traffic = new SimulatedTraffic(seed, 2 + (int) (seed % 4));
            long most = 1500;
            Explored all =
                    new Exploration(freedom).unreduced().atMostExecutions(most).run(traffic);
            if (all.isComplete()) {
                compared++;
                Explored reduced = new Exploration(freedom).run(traffic);
                sums[0] += all.executions();
                sums[1] += reduced.executions();
                sums[2] += reduced.abandoned();
                if (!reduced.outcomes().keySet().equals(all.outcomes().keySet()))
                    System.out.println("DIFFERS " + traffic + " " + freedom + "\n"
                            + all.outcomes().keySet() + "\n"
                            + reduced.outcomes().keySet());
            }
        }
        System.out.println(compared + " " + java.util.Arrays.toString(sums));
    }
}

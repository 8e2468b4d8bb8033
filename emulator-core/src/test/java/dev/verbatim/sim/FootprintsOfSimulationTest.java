// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import org.junit.jupiter.api.Test;

/** Events of real devices that say they do not touch each other may change places. */
class FootprintsOfSimulationTest {

    private static final int PROGRAMS = Integer.getInteger("programs", 300);

    @Test
    void x() {
        java.util.Map<String, Integer> kinds = new java.util.TreeMap<>();
        int apart = 0;
        for (long seed = 0; seed < PROGRAMS; seed++) {
            SimulatedTraffic traffic = new SimulatedTraffic(seed, 3 + (int) (seed % 8));
            FootprintCheck check = new FootprintCheck(Freedom.LEGAL, traffic);
            for (int place = (int) (seed % 7); place < 70; place += 7) {
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
}

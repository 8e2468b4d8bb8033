// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.farm;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;

/**
 * How long parts whose times were measured would take on more machines: each free core takes the next part, which one driver hands out.
 *
 * @param parts times of the parts in seconds, in the order in which they are handed out
 * @param start seconds until a core can take its first part
 * @param dispatch seconds that the driver needs to hand out a part, and to take its result
 */
record Scaling(List<Double> parts, double start, double dispatch) {

    private static final List<Integer> MACHINES = List.of(1, 10, 100, 1_000, 10_000);
    private static final int LEAST_PARTS = 4;

    /** Seconds until the last part is done. */
    double seconds(int cores) {
        PriorityQueue<Double> free = new PriorityQueue<>();
        for (int i = 0; i < Math.min(cores, parts.size()); i++) {
            free.add(start);
        }
        double driver = 0;
        double last = 0;
        for (double part : parts) {
            driver = Math.max(driver, free.remove()) + dispatch;
            free.add(driver + part);
            last = Math.max(last, driver + part);
        }
        return last;
    }

    /** A job so much longer: the parts again and again. */
    Scaling times(int factor) {
        Double[] all = new Double[parts.size() * factor];
        Arrays.setAll(all, i -> parts.get(i % parts.size()));
        return new Scaling(List.of(all), start, dispatch);
    }

    /**
     * A table for a job that gives each core of 10,000 machines some parts.
     *
     * @param cores of a machine
     */
    String table(int cores) {
        int most = MACHINES.get(MACHINES.size() - 1) * cores * LEAST_PARTS;
        Scaling job = times((most + parts.size() - 1) / parts.size());
        double alone = job.parts.stream().mapToDouble(Double::doubleValue).sum();
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%d parts of %.2f s, %.1f s to start, %.2f ms to hand out a part, %d cores a machine%n",
                job.parts.size(),
                alone / job.parts.size(),
                start,
                dispatch * 1e3,
                cores));
        table.append("machines     seconds    of the cores' time that is used\n");
        for (int machines : MACHINES) {
            double seconds = job.seconds(machines * cores);
            table.append(String.format(
                    Locale.ROOT,
                    "%8d %11.1f %9.0f %%%n",
                    machines,
                    seconds,
                    100 * alone / (seconds * machines * cores)));
        }
        return table.toString();
    }
}

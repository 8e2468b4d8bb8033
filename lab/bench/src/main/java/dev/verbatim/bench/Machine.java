// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import java.lang.management.ManagementFactory;

/**
 * Where it was measured.
 *
 * @param load how many threads wanted to run in the last minute, on average; NaN where the system does not say so
 */
record Machine(String java, String system, int processors, double load) {

    static Machine here() {
        return new Machine(
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                load(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
    }

    private static double load(double said) {
        return said < 0 ? Double.NaN : said;
    }
}

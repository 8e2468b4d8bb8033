// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.cost;

import dev.verbatim.bench.plan.Cost;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What memory this JVM takes.
 *
 * @param heapBytes after the collector has been
 * @param directBytes of direct buffers, Netty's included
 * @param residentBytes as the operating system sees it; NaN where it does not say so in Linux's manner
 */
record MemoryFootprint(double heapBytes, double directBytes, double residentBytes) {

    private static final int COLLECTIONS = 3;
    private static final int BYTES_PER_KIB = 1024;

    static MemoryFootprint now() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return new MemoryFootprint(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(), direct(), resident());
    }

    private static long direct() {
        long pooled = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return pooled + Math.max(0, PlatformDependent.usedDirectMemory());
    }

    private static double resident() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * BYTES_PER_KIB)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    /** How much more heap and direct memory it is. */
    double bytesSince(MemoryFootprint before) {
        return heapBytes - before.heapBytes + directBytes - before.directBytes;
    }

    /** The costs of each of {@code count} things that were made since. */
    List<Cost> since(MemoryFootprint before, String thing, int count) {
        return List.of(
                new Cost(thing + ": heap", "B", List.of((heapBytes - before.heapBytes) / count)),
                new Cost(thing + ": direct memory", "B", List.of((directBytes - before.directBytes) / count)),
                new Cost(thing + ": resident memory", "B", List.of((residentBytes - before.residentBytes) / count)));
    }
}

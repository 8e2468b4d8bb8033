// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.loop;

import dev.verbatim.bench.jvm.MeasuredPair;
import dev.verbatim.bench.jvm.OrderedJvm;
import dev.verbatim.bench.jvm.PassiveJvm;
import dev.verbatim.bench.plan.BenchCase;
import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.bench.plan.RoceAddresses;
import dev.verbatim.bench.plan.Series;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.verbs.VerbsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that does the same operations, with other classes of the device or other options, whenever it is its turn. It ends with its
 * standard input, and so with the JVM that started it.
 */
public final class BesideMain {

    private static final double MEDIAN = 50;

    private final Histogram latencies = Series.newHistogram();
    private @Nullable PassiveJvm jvm;
    private @Nullable MeasuredPair stage;
    private @Nullable RdmaLoop loop;

    private BesideMain() {}

    public static void main(String... args) throws IOException {
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        System.setOut(System.err);
        BesideMain beside = new BesideMain();
        try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                answers.println(beside.answer(order.split(" ", -1)));
            }
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private String answer(String... order) {
        try {
            return switch (order[0]) {
                case BesideLoop.OPEN -> open(order);
                case BesideLoop.RUN -> run(Integer.parseInt(order[1]));
                case BesideLoop.END -> end();
                default -> throw new BenchFailure(order[0] + " is not a known command");
            };
        } catch (VerbsException | BenchFailure e) {
            return OrderedJvm.FAILED + " " + String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
        }
    }

    private String open(String... words) {
        BenchCase what = BenchCase.valueOf(words[1]);
        Setting setting = Setting.valueOf(words[2]);
        int sizeBytes = Integer.parseInt(words[4]);
        int depth = Integer.parseInt(words[5]);
        MeasuredPair opened = MeasuredPair.of(
                setting,
                SocketTransport.valueOf(words[3]),
                this::jvm,
                RoceAddresses.ofProcess(ProcessHandle.current().pid()),
                sizeBytes,
                depth);
        stage = opened;
        RdmaLoop made = new RdmaLoop(what, opened, sizeBytes, depth);
        made.verify(Series.newHistogram());
        loop = made;
        return OrderedJvm.OK;
    }

    private PassiveJvm jvm() {
        PassiveJvm present = jvm;
        if (present == null) {
            present = PassiveJvm.start();
            jvm = present;
        }
        return present;
    }

    private String run(int operations) {
        if (loop == null) {
            throw new BenchFailure("nothing is open");
        }
        latencies.reset();
        long cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long nanos = loop.run(operations, latencies);
        cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuNanos;
        long median = latencies.getTotalCount() > 0 ? latencies.getValueAtPercentile(MEDIAN) : -1;
        return OrderedJvm.OK + " " + nanos + " " + cpuNanos + " " + loop.allocatedBytes() + " " + median;
    }

    private String end() {
        if (loop != null) {
            loop.verifyAll();
        }
        loop = null;
        if (stage != null) {
            stage.close();
        }
        stage = null;
        return OrderedJvm.OK;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.cost;

import dev.verbatim.bench.jvm.JavaProcess;
import dev.verbatim.bench.jvm.OrderedJvm;
import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.bench.plan.Cost;
import dev.verbatim.transport.netty.SocketTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts two JVMs anew, several times, and asks the active one how long it took to its first completed WRITE. */
public final class Startup {

    private static final int PATIENCE_SECONDS = 60;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final List<String> PARTS =
            List.of("JVM start", "open", "connect", "first WRITE", "open to first WRITE");

    private Startup() {}

    public static List<Cost> measure(SocketTransport transport, int times) {
        List<List<Double>> millis =
                PARTS.stream().<List<Double>>map(part -> new ArrayList<>()).toList();
        for (int i = 0; i < times; i++) {
            double[] once = once(transport);
            for (int part = 0; part < once.length; part++) {
                millis.get(part).add(once[part]);
            }
            millis.get(once.length).add(Arrays.stream(once).skip(1).sum());
        }
        List<Cost> costs = new ArrayList<>();
        for (int part = 0; part < PARTS.size(); part++) {
            costs.add(new Cost(PARTS.get(part), "ms", millis.get(part)));
        }
        return costs;
    }

    private static double[] once(SocketTransport transport) {
        Process passive = JavaProcess.start(StartupMain.class, StartupMain.PASSIVE, transport.name());
        try {
            String port = line(passive);
            Process active = JavaProcess.start(
                    StartupMain.class, StartupMain.ACTIVE, transport.name(), port, String.valueOf(microsNow()));
            try {
                return Arrays.stream(line(active).split(" ", -1))
                        .mapToDouble(micros -> Long.parseLong(micros) / MICROS_PER_MILLI)
                        .toArray();
            } finally {
                active.destroyForcibly();
            }
        } finally {
            passive.destroyForcibly();
        }
    }

    /** Of the day, since two JVMs share no other clock. */
    static long microsNow() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** What it answers, in one line; who stays silent is ended. */
    private static String line(Process jvm) {
        Thread watchdog = new Thread(
                () -> {
                    try {
                        TimeUnit.SECONDS.sleep(PATIENCE_SECONDS);
                        jvm.destroyForcibly();
                    } catch (InterruptedException e) {
                        // It spoke in time.
                        return;
                    }
                },
                "verbatim-bench-watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
        try {
            BufferedReader lines = jvm.inputReader(StandardCharsets.US_ASCII);
            String line = lines.readLine();
            // A JVM may have words of its own there.
            while (line != null && !line.startsWith(OrderedJvm.OK)) {
                line = lines.readLine();
            }
            if (line == null) {
                throw new BenchFailure("a fresh JVM, process " + jvm.pid()
                        + ", ended too early; its own message says why, or it was silent for " + PATIENCE_SECONDS
                        + " s");
            }
            return line.substring(OrderedJvm.OK.length()).strip();
        } catch (IOException e) {
            throw new BenchFailure("a fresh JVM, process " + jvm.pid() + ", cannot be understood: " + e.getMessage());
        } finally {
            watchdog.interrupt();
        }
    }
}

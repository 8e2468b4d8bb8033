// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.verbs.VerbsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The passive JVM: reads orders, one a line, and answers each with {@code ok} and what was asked for, or with what went
 * wrong. One thread carries them out, so it may own a spinning fabric; while that is driven it polls between orders. It
 * ends with its standard input, and so with the JVM that started it.
 */
public final class PassiveMain {

    private final LinkedBlockingQueue<String> orders = new LinkedBlockingQueue<>();

    private PassiveMain() {}

    public static void main(String... args) throws InterruptedException {
        // Answers go where the orders come from; what anybody else prints goes where people look.
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        System.setOut(System.err);
        PassiveMain passive = new PassiveMain();
        Thread reader = new Thread(passive::read, "verbatim-bench-orders");
        reader.setDaemon(true);
        reader.start();
        passive.serve(new PassiveWork(reader.getId(), answers), answers);
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                orders.add(line);
            }
        } catch (IOException e) {
            System.err.println("verbatim: the second JVM of bench lost the first: " + e.getMessage());
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private void serve(PassiveWork work, PrintStream answers) throws InterruptedException {
        while (true) {
            answers.println(answer(work, work.await(orders)));
        }
    }

    private static String answer(PassiveWork work, String order) {
        try {
            return work.carryOut(order.split(" ", -1));
        } catch (IOException | VerbsException | BenchFailure e) {
            return OrderedJvm.FAILED + " " + String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
        }
    }
}

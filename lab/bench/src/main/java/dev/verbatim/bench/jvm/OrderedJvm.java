// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.bench.plan.BenchFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Another JVM that carries out orders, one a line, and answers each with {@code ok} and what was asked for, or with what went wrong. */
public final class OrderedJvm implements AutoCloseable {

    public static final String OK = "ok";
    public static final String FAILED = "failed";
    private static final int PATIENCE_SECONDS = 60;
    private static final String END = "end";

    private final String name;
    private final Process process;
    private final PrintWriter orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    /**
     * Talks with a process by its standard streams, and ends it in the end.
     *
     * @param name what messages call it
     */
    public OrderedJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.orders = new PrintWriter(process.outputWriter(StandardCharsets.US_ASCII), true);
        Thread reader = new Thread(this::read, "verbatim-bench-answers");
        reader.setDaemon(true);
        reader.start();
    }

    /** Gives an order and waits for the words of the answer, the first of which is {@code ok}. */
    public String[] ask(Object... words) {
        tell(words);
        return awaitAnswer();
    }

    void tell(Object... words) {
        StringBuilder line = new StringBuilder();
        for (Object word : words) {
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        orders.println(line);
    }

    /** The words of an answer, the first of which is {@code ok}. */
    String[] awaitAnswer() {
        String line = null;
        try {
            line = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (line == null) {
            throw new BenchFailure(name + ", process " + process.pid() + ", is silent for " + PATIENCE_SECONDS
                    + " s; see whether the machine is overloaded, or stay in one JVM by --fabric in-process");
        }
        if (line.equals(END)) {
            throw new BenchFailure(name + ", process " + process.pid() + ", ended too early; its own message says why");
        }
        String[] words = line.split(" ", -1);
        if (words[0].equals(FAILED)) {
            throw new BenchFailure(name + ":" + line.substring(FAILED.length()));
        }
        return words;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                // A JVM may have words of its own there.
                if (line.startsWith(OK) || line.startsWith(FAILED)) {
                    answers.add(line);
                }
            }
        } catch (IOException e) {
            // It was closed: nothing more can be learned from it.
            process.destroy();
        } finally {
            answers.add(END);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

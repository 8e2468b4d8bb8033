// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.conformance.narration.NarratedEvent;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code verbatim serve} in a JVM of its own, and what it reports. It ends with this one, whatever becomes of it. */
final class SecondJvm implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 30;
    private static final Map<String, Object> END = Map.of("kind", "end");

    private final Process process;
    private final BlockingQueue<Map<String, Object>> reported = new LinkedBlockingQueue<>();

    private SecondJvm(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "verbatim-second-jvm");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts it: the same Java, the same class path, no shell.
     *
     * @param record where it writes the trace of its device; null for nowhere
     */
    static SecondJvm serve(@Nullable Path record) {
        String java = ProcessHandle.current()
                .info()
                .command()
                .orElseGet(() -> System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        ProcessBuilder builder = new ProcessBuilder(
                java,
                "-Dfile.encoding=UTF-8",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--once",
                "--json",
                "--port=0",
                "--bind=" + InetAddress.getLoopbackAddress().getHostAddress(),
                "--parent=" + ProcessHandle.current().pid());
        if (record != null) {
            builder.command().add("--record=" + record);
        }
        try {
            return new SecondJvm(
                    builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
        } catch (IOException e) {
            throw new CommandFailure("cannot start a second JVM: " + e.getMessage() + "; check that " + java
                    + " runs, or use --fabric in-process");
        }
    }

    /** Where it listens. */
    InetSocketAddress awaitAddress() {
        Map<String, Object> line = await(json -> "listening".equals(json.get("kind")), new ArrayList<>());
        return new InetSocketAddress(
                String.valueOf(line.get("host")), Integer.parseInt(String.valueOf(line.get("port"))));
    }

    /** What its device did in a step that is over. */
    List<NarratedEvent> awaitHappenings(int step) {
        List<NarratedEvent> narratedEvents = new ArrayList<>();
        await(json -> isEndOf(step, json), narratedEvents);
        return narratedEvents;
    }

    /** Its report of a step ends with right's outcome, that of the connection with who right is. */
    private static boolean isEndOf(int step, Map<String, Object> json) {
        String kind = step == 0 ? "side" : "outcome";
        return kind.equals(json.get("kind"))
                && Diagram.RIGHT.equals(json.get("side"))
                && (step == 0 || Integer.valueOf(step).equals(json.get("step")));
    }

    /** The first line that is wanted; events before it are added to {@code passed}. */
    private Map<String, Object> await(Predicate<Map<String, Object>> wanted, List<NarratedEvent> passed) {
        Map<String, Object> line = next();
        while (!wanted.test(line)) {
            if (NarratedEvent.isOne(line)) {
                passed.add(NarratedEvent.ofJson(line));
            }
            line = next();
        }
        return line;
    }

    private Map<String, Object> next() {
        Map<String, Object> line = null;
        try {
            line = reported.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (line == null) {
            throw new CommandFailure("the second JVM, process " + process.pid() + ", has not answered for "
                    + PATIENCE_SECONDS + " s; check whether the machine is overloaded, or use --fabric in-process");
        }
        if (line.equals(END)) {
            throw new CommandFailure(
                    "the second JVM, process " + process.pid() + ", exited early; see its own error message");
        }
        return line;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reported.add(JSON.std.mapFrom(line));
            }
        } catch (IOException e) {
            // It was closed, or printed what is no JSON: nothing more can be learned from it.
            process.destroy();
        } finally {
            reported.add(END);
        }
    }

    /** Waits a moment for it to end by itself, then ends it. */
    @Override
    public void close() {
        try {
            if (!process.waitFor(1, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

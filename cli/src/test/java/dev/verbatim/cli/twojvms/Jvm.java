// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.twojvms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Another JVM with the class path of the tests, and what it prints. Killed on close, if it still runs. */
final class Jvm implements AutoCloseable {

    /** A JVM prints this on standard error where the variable is set, as for tests without the fast path. */
    private static final Pattern NOTICES_OF_OPTIONS = Pattern.compile("(?m)^Picked up JAVA_TOOL_OPTIONS: .*\n");

    private final Process process;
    private final BufferedReader out;
    private final CompletableFuture<String> err;
    private final List<String> told = new ArrayList<>();

    private Jvm(Process process) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.err = CompletableFuture.supplyAsync(
                () -> readAll(process.errorReader(StandardCharsets.UTF_8)), Jvm::onItsOwnThread);
    }

    static Jvm start(Class<?> main, String... args) {
        return start(List.of(), main, args);
    }

    /** With these options of the JVM too. */
    static Jvm start(List<String> options, Class<?> main, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // As the tests of this build: on a Turkish machine, and compiled quickly.
        command.addAll(List.of("-ea", "-Duser.language=tr", "-Duser.country=TR"));
        // Wide enough that no line of a story is broken whatever the keys and ports are.
        command.add("-Dverbatim.columns=100");
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(Arrays.asList(args));
        try {
            return new Jvm(new ProcessBuilder(command).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads on until a line that has this in it, and returns what the first group of the pattern matched. */
    String await(String pattern) {
        Pattern wanted = Pattern.compile(pattern);
        return Await.result(
                "a line with " + wanted,
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                for (String line = out.readLine(); line != null; line = out.readLine()) {
                                    told.add(line);
                                    Matcher matcher = wanted.matcher(line);
                                    if (matcher.find()) {
                                        return matcher.groupCount() == 0 ? line : matcher.group(1);
                                    }
                                }
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                            throw new AssertionError(
                                    "it ended without a line with " + wanted + " after " + told + err.join());
                        },
                        Jvm::onItsOwnThread));
    }

    /** It ends by itself with this code; the rest of what it printed is in {@link #told()}. */
    Jvm ends(int exitCode) {
        Await.result(
                "the rest of what it prints",
                CompletableFuture.runAsync(() -> readAll(out).lines().forEach(told::add), Jvm::onItsOwnThread));
        Await.result("its end", process.onExit());
        assertThat(process.exitValue()).as(() -> told + err()).isEqualTo(exitCode);
        return this;
    }

    /** It has ended, however. */
    void isEnded() {
        Await.result("its end", process.onExit());
    }

    /** Every line on its standard output that was read so far. */
    List<String> told() {
        return told;
    }

    /** All of its standard error that the program printed. It has to have ended. */
    String err() {
        return NOTICES_OF_OPTIONS
                .matcher(Await.result("its standard error", err))
                .replaceAll("");
    }

    long pid() {
        return process.pid();
    }

    /** Asks it to end, as Ctrl-C does. What it says until then can still be read, which {@link Process#destroy} would end. */
    void interrupt() {
        process.toHandle().destroy();
    }

    /** Ends it without a chance to say good-bye. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    @Override
    public void close() {
        kill();
        isEnded();
    }

    /** The common pool has one thread on a small machine, and what runs here blocks. */
    private static void onItsOwnThread(Runnable work) {
        Thread thread = new Thread(work, "reads-from-a-jvm");
        thread.setDaemon(true);
        thread.start();
    }

    private static String readAll(BufferedReader reader) {
        StringBuilder text = new StringBuilder();
        try {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                text.append(line).append('\n');
            }
        } catch (IOException e) {
            // The process is gone; what was read is what there was.
            return text.toString();
        }
        return text.toString();
    }
}

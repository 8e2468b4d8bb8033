// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.testing.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A C program of {@code src/test/c}, compiled with the installed headers, and its runs on the library of this module. */
public final class CProgram {

    private static final Path NATIVE = Path.of(System.getProperty("verbatim.native", "target/native"));

    /** Of a run that takes a second or two: also the start of a JVM may take a minute on a busy machine. */
    private static final long LONGEST_SECONDS = 600;

    private final Path program;

    private CProgram(Path program) {
        this.program = program;
    }

    /** How a run ended: what it wrote, and its status as a shell says it (128 and the number of a signal). */
    public record Outcome(int status, String output, String errors) {

        /** It ended with status 0, and this is all that it wrote. */
        public void assertWrote(String expected) {
            assertThat(output).as(toString()).isEqualTo(expected);
            assertThat(errors).isEmpty();
            assertThat(status).isZero();
        }
    }

    /** Compiles a file, once; the test is skipped where there is no compiler or no headers. */
    public static CProgram compile(String file, String... libraries) throws IOException, InterruptedException {
        return compileBy(file.endsWith(".cc") ? "c++" : "cc", file, libraries);
    }

    /** Compiles a file by another compiler than that of the machine. */
    public static CProgram compileBy(String compiler, String file, String... libraries)
            throws IOException, InterruptedException {
        assumeTrue(
                Files.exists(Path.of("/usr/include/infiniband/verbs.h")) && Files.exists(Path.of("/usr/bin/cc")),
                "cc, libibverbs-dev and librdmacm-dev are needed for this test");
        Path program = Files.createTempDirectory("verbatim-c").resolve(file.replace(".c", ""));
        List<String> words = new ArrayList<>(List.of(
                compiler, "-O1", "-g", "-w", "-pthread", "-o", program.toString(), "src/test/c/" + file, "-libverbs"));
        words.addAll(List.of(libraries));
        Process compilation = new ProcessBuilder(words).inheritIO().start();
        if (compilation.waitFor() != 0) {
            throw new IOException(words + " failed");
        }
        return new CProgram(program);
    }

    /** Runs it to its end. */
    public Outcome run(String... words) throws IOException, InterruptedException {
        return run(Map.of(), words);
    }

    /** Runs it to its end with further variables. It is not told for what it waits: on a busy machine everything may wait for long. */
    public Outcome run(Map<String, String> variables, String... words) throws IOException, InterruptedException {
        Path output = program.resolveSibling("output");
        Path errors = program.resolveSibling("errors");
        Map<String, String> all = new HashMap<>(variables);
        all.put("VERBATIM_QUIET", "yes");
        Process process = start(all, output, errors, words);
        if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(
                    List.of(words) + " did not end: " + Files.readString(output) + Files.readString(errors));
        }
        return new Outcome(process.exitValue(), Files.readString(output), Files.readString(errors));
    }

    /** Runs it until it has written something on standard error, and ends it by Ctrl-C. */
    public Outcome interrupt(Predicate<String> written, Map<String, String> variables, String... words)
            throws IOException, InterruptedException {
        Path output = program.resolveSibling("output");
        Path errors = program.resolveSibling("errors");
        Process process = start(variables, output, errors, words);
        String unused = Await.value("its words", () -> read(errors), written);
        int sent = new ProcessBuilder("kill", "-INT", String.valueOf(process.pid()))
                .start()
                .waitFor();
        assertThat(sent).isZero();
        boolean isOver = process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS);
        return new Outcome(isOver ? process.exitValue() : -1, Files.readString(output), Files.readString(errors));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it; what it writes on standard output is read from the process. */
    public Process begin(Map<String, String> variables, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectInput(new File("/dev/null"));
        builder.environment().putAll(environment());
        builder.environment().putAll(variables);
        return builder.start();
    }

    private Process start(Map<String, String> variables, Path output, Path errors, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .redirectInput(new File("/dev/null"));
        builder.environment().putAll(environment());
        builder.environment().putAll(variables);
        return builder.start();
    }

    /** A file of the library's directory. */
    public static String library(String name) {
        return NATIVE.resolve(System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch64")
                .resolve(name)
                .toAbsolutePath()
                .toString();
    }

    /** What a program needs to run on the library, with the classes of this build. */
    public static Map<String, String> environment() {
        String classPath = System.getProperty("java.class.path");
        return Map.of(
                "LD_LIBRARY_PATH",
                library(""),
                "VERBATIM_JVM",
                Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so")
                        .toString(),
                "VERBATIM_CLASS_PATH",
                classPath,
                "_JAVA_SR_SIGNUM",
                "60",
                "VERBATIM_JVM_OPTIONS",
                String.join(
                        "\n",
                        "-Djava.class.path=" + classPath,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xrs",
                        "-Xmx128m",
                        "-XX:-UsePerfData",
                        "-Xlog:disable",
                        "-Xlog:all=error:stderr",
                        "--enable-native-access=ALL-UNNAMED"));
    }
}

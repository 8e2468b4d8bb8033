// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The JVM is a guest in a C program, which keeps its stacks, its signals and its end, and goes on with an error number where a limit
 * leaves no room for a JVM: as with the library of the kernel's devices.
 */
class GuestTest {

    private static CProgram guest;
    private static Map<String, String> variables;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        guest = CProgram.compile("guest.c");
        variables = new HashMap<>();
        Map<String, String> usual = CProgram.environment();
        Path directory =
                Files.createDirectories(Path.of(CProgram.library("guest-jars"))); // not in /tmp, which cases take
        String classPath = jarsOf(usual.get("VERBATIM_CLASS_PATH"), directory);
        variables.put("VERBATIM_CLASS_PATH", classPath);
        variables.put(
                "VERBATIM_JVM_OPTIONS",
                String.join(
                        "\n",
                        usual.get("VERBATIM_JVM_OPTIONS").replace(usual.get("VERBATIM_CLASS_PATH"), classPath),
                        "-XX:CompressedClassSpaceSize=64m",
                        "-XX:ReservedCodeCacheSize=48m",
                        "-Xss512k",
                        "-XX:+DisplayVMOutputToStderr",
                        "-XX:+SuppressFatalErrorMessage"));
    }

    /** A class path as installations have it: of directories each class would take a descriptor when it is first used. */
    private static String jarsOf(String classPath, Path directory) throws IOException {
        List<String> jars = new ArrayList<>();
        for (String element : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(element);
            if (Files.isDirectory(path)) {
                Path jar = directory.resolve(jars.size() + ".jar");
                pack(path, jar);
                path = jar;
            } else if (path.startsWith("/tmp")) {
                path = Files.copy(path, directory.resolve(jars.size() + ".jar"), StandardCopyOption.REPLACE_EXISTING);
            }
            jars.add(path.toString());
        }
        return String.join(File.pathSeparator, jars);
    }

    private static void pack(Path directory, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file);
                Stream<Path> files = Files.walk(directory)) {
            zip.setLevel(0);
            files.filter(Files::isRegularFile).forEach(each -> {
                try {
                    zip.putNextEntry(new ZipEntry(directory.relativize(each).toString()));
                    Files.copy(each, zip);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    /** Each case is a line "CASE: WHAT ITS VERBS SAID ends STATUS", and what it may say on standard error. */
    private static void assertSays(String said, String... lines) throws IOException, InterruptedException {
        String[] cases = Stream.of(lines)
                .map(line -> line.substring(0, line.lastIndexOf(": ")))
                .toArray(String[]::new);

        Outcome outcome = guest.run(variables, cases);

        assertThat(outcome.output().lines()).as(outcome.errors()).containsExactly(lines);
        assertThat(outcome.errors().lines()).allMatch(line -> line.matches(said));
    }

    @Test
    void stacksAreTheProgramsOnEveryThread() throws IOException, InterruptedException {
        assertSays(
                "",
                "stack=64: works works ends 0",
                "stacks: works works works works works works works works works ends 0",
                "overflow: works ends 42",
                "overflow-in-thread: works ends 42",
                "overflow-unhandled: works ends 139");
    }

    @Test
    void programEndsAsWithoutJvm() throws IOException, InterruptedException {
        assertSays(
                "",
                "first-thread-ends: works works ends 0",
                "thread-ends: works works works works works ends 0",
                "cancelled: works works works works ends 0",
                "verbs-in-handler: works works works ends 0",
                "blocked-signals: works signal waited works works ends 0",
                "destroy-at-exit: works works ends 0",
                "exit-handler-first: works works ends 0",
                "heap-full-at-exit: works works ends 0");
    }

    @Test
    void limitThatLeavesNoRoomForJvmIsErrorNumberAndOneLine() throws IOException, InterruptedException {
        assertSays(
                "verbatim: no device, since (the JVM did not start|it opens \\d+ descriptors).*ulimit -[vdun].*",
                "addresses=20000: list ENOMEM works ends 0",
                "addresses=200000: list ENOMEM works ends 0",
                "addresses=400000: list ENOMEM works ends 0",
                "data=20000: list ENOMEM works ends 0",
                "processes=1: list ENOMEM works ends 0",
                "processes=4: list ENOMEM works ends 0",
                "processes=8: list ENOMEM works ends 0",
                "descriptors=3: list EMFILE works ends 0",
                "descriptors-at-open=6: open EMFILE works works ends 0");
    }

    @Test
    void surroundingsOfProgramsThatAJvmSeldomHasAreEnough() throws IOException, InterruptedException {
        assertSays(
                "",
                "addresses=900000: works works ends 0",
                "no-directory: works works ends 0",
                "no-proc: works works ends 0",
                "locked=0: works works ends 0");
    }

    /** Cases hide what is in /tmp. */
    @Test
    void directoryForTemporaryFilesMayBeReadOnlyOrFull() throws IOException, InterruptedException {
        assumeFalse(Path.of("").toAbsolutePath().startsWith("/tmp"), "the classes are in /tmp");
        assertSays(
                "",
                "read-only-tmp: works works ends 0",
                "full-tmp: works works ends 0",
                "later:full-tmp: works works works works ends 0");
    }

    @Test
    void limitsThatComeLaterRefuseWhatTheyMustAndNothingElse() throws IOException, InterruptedException {
        assertSays(
                "",
                "later:addresses=1: works works works works ends 0",
                "later:processes=1: works works works works ends 0",
                "later:descriptors=0: works works works works ends 0",
                "later:stack=64: works works works works ends 0",
                "later:no-directory: works works works works ends 0",
                "later:no-proc: works works works works ends 0");
    }

    /** What the JVM allocates for itself, such as its compiler, may fail then, and it goes on in no case: not as with addresses. */
    @Test
    void limitOfDataThatComesLaterMayEndTheProcessWithALine() throws IOException, InterruptedException {
        Outcome outcome = guest.run(variables, "later:data=20000");

        assertThat(outcome.output())
                .as(outcome.errors())
                .matches("later:data=20000:( works| \\w+ ENOMEM)+ ends (0|134)\n");
        assertThat(outcome.errors().contains("verbatim: the JVM met an error and ends the process; "))
                .isEqualTo(outcome.output().endsWith(" ends 134\n"));
    }
}

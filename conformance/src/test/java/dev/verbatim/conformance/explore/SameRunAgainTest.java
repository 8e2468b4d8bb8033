// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.fabric.Choices;
import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same seed gives the same trace, byte for byte: in one JVM, in fresh ones, and on other versions of Java. */
class SameRunAgainTest {

    private static final long SEED = 5;
    private static final int PROGRAMS = 25;

    /** Prints the hashes of the traces of some programs. */
    static final class Hashes {

        private Hashes() {}

        public static void main(String... args) {
            for (int number = 0; number < PROGRAMS; number++) {
                TraceHash hash = new TraceHash();
                new Explorer(SEED).run(number, hash);
                System.out.println(hash.end());
            }
        }
    }

    private static List<String> hashes() {
        List<String> hashes = new ArrayList<>();
        for (int number = 0; number < PROGRAMS; number++) {
            TraceHash hash = new TraceHash();
            new Explorer(SEED).run(number, hash);
            hashes.add(hash.end());
        }
        return hashes;
    }

    private static List<String> hashesFrom(Path home, Path out) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        home.resolve("bin").resolve("java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Hashes.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor()).isZero();
        return Files.readAllLines(out, StandardCharsets.UTF_8);
    }

    @Test
    void theSameSeedGivesTheSameTraceTwice() {
        List<String> first = hashes();

        assertThat(hashes()).isEqualTo(first);
        assertThat(first).doesNotHaveDuplicates();
    }

    @Test
    void theChoicesOfARunGiveItsTraceAgain() {
        for (int number = 0; number < PROGRAMS; number++) {
            TraceHash drawn = new TraceHash();
            ProgramResult executed = new Explorer(SEED).run(number, drawn);
            TraceHash listed = new TraceHash();
            ProgramRun.run(ProgramMaker.make(SEED, number, PairType.ALL), Choices.replayed(executed.choices()), listed);

            assertThat(listed.end()).as("program %d", number).isEqualTo(drawn.end());
        }
    }

    @Test
    @LongTest
    void theSameSeedGivesTheSameTracesInAFreshJvm(@TempDir Path directory) throws Exception {
        Path home = Path.of(System.getProperty("java.home"));

        assertThat(hashesFrom(home, directory.resolve("fresh"))).isEqualTo(hashes());
    }

    @Test
    @LongTest
    void theSameSeedGivesTheSameTracesOnAnotherJava(@TempDir Path directory) throws Exception {
        Path other = anotherJava();
        assumeTrue(
                other != null,
                "no other Java of 17 or newer is here: name one in JAVA_HOME_17 or JAVA_HOME_25, or install it beside this"
                        + " one");

        assertThat(hashesFrom(other, directory.resolve("other"))).isEqualTo(hashes());
    }

    private static Path anotherJava() throws IOException {
        List<Path> homes = new ArrayList<>();
        for (String variable : List.of("JAVA_HOME_25", "JAVA_HOME_25_X64", "JAVA_HOME_17", "JAVA_HOME_17_X64")) {
            String home = System.getenv(variable);
            if (home != null && !home.isEmpty()) {
                homes.add(Path.of(home));
            }
        }
        Path beside = Path.of(System.getProperty("java.home")).toRealPath().getParent();
        try (Stream<Path> installed = Files.list(beside)) {
            installed.sorted().forEach(homes::add);
        }
        for (Path home : homes) {
            int version = featureVersion(home);
            if (version >= 17 && version != Runtime.version().feature()) {
                return home;
            }
        }
        return null;
    }

    /** As its release file has it; 0 if it is none. */
    private static int featureVersion(Path home) throws IOException {
        Path release = home.resolve("release");
        if (!Files.isRegularFile(release)
                || !Files.isExecutable(home.resolve("bin").resolve("java"))) {
            return 0;
        }
        for (String line : Files.readAllLines(release, StandardCharsets.UTF_8)) {
            if (line.startsWith("JAVA_VERSION=")) {
                String version = line.substring(line.indexOf('=') + 1).replace("\"", "");
                return Runtime.Version.parse(version).feature();
            }
        }
        return 0;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.ibverbs.CProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is thrown in a call of C, its function fails as symbols.txt says, and the process goes on. */
class GuardTest {

    private static final long LONGEST_SECONDS = 600;

    @Test
    void eachFunctionFailsAsItSaysWhateverIsThrown(@TempDir Path directory) throws IOException, InterruptedException {
        assumeTrue(
                Files.exists(Path.of(CProgram.library("libibverbs.so.1"))), "the library of C is needed for this test");
        Path output = directory.resolve("output");
        Path errors = directory.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-Dverbatim.guard.tested=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GuardedProgram.class.getName(),
                        CProgram.library("libibverbs.so.1"))
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        Process program = builder.start();
        assertThat(program.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS))
                .as("ended")
                .isTrue();

        assertThat(output).hasContent("success\n");
        assertThat(Files.readAllLines(errors))
                .hasSizeBetween(1, 20)
                .allMatch(line -> line.matches("verbatim: \\w+ failed: java.lang.IllegalStateException: a test"));
        assertThat(program.exitValue()).isZero();
    }
}

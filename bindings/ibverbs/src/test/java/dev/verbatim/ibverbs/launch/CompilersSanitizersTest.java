// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.ibverbs.CProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sanitizers of a compiler are silent about a right program and the JVM in it, and find the mistakes of a wrong one. */
class CompilersSanitizersTest {

    private static CProgram.Outcome run(CProgram program, String... words) throws IOException, InterruptedException {
        Path library = directoryOf(Path.of(CProgram.library("libibverbs.so.1")));
        return program.run(Installation.sanitizerOptions(library), words);
    }

    private static Path directoryOf(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    @Test
    void addressesAndLeaks() throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/usr/bin/cc")), "a compiler is needed for this test");
        CProgram program = CProgram.compile("sanitized.c", "-fsanitize=address,undefined");

        run(program).assertWrote("20 0\n");
        assertThat(run(program, "leak").errors())
                .contains("16 byte(s) leaked in 1 allocation(s)")
                .contains("sanitized.c");
        assertThat(run(program, "overflow").errors()).contains("heap-buffer-overflow", "sanitized.c");
    }

    @Test
    void threads() throws IOException, InterruptedException {
        CProgram program = CProgram.compile("sanitized.c", "-fsanitize=thread");

        run(program).assertWrote("20 0\n");
        assertThat(run(program, "race").errors()).contains("data race", "sanitized.c");
    }

    /** They are in the program and not in libraries, so that exec does not see them, and --sanitize has its own one first. */
    @ParameterizedTest
    @ValueSource(strings = {"address,undefined", "leak", "thread", "undefined"})
    void thoseOfClangAreSilent(String kinds) throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/usr/bin/clang")), "clang is needed for this test");
        CProgram program = CProgram.compileBy("clang", "sanitized.c", "-fsanitize=" + kinds);

        run(program).assertWrote("20 0\n");
        Path library = Path.of(CProgram.library("libverbatim-memory.so"));
        Map<String, String> variables = new HashMap<>(Installation.sanitizerOptions(directoryOf(library)));
        variables.put("VERBATIM_SANITIZE", "yes");
        variables.put("LD_PRELOAD", library.toString());
        program.run(variables).assertWrote("20 0\n");
    }
}

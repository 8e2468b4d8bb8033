// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import dev.verbatim.testing.Tries;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever handles, numbers and pointers a program passes, a call fails with an error number of a mistake, and the program goes on. */
class CallFuzzTest {

    private static CProgram program;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("fuzz.c", "-lrdmacm", "-ldl");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void noCallEndsTheProgramOrSucceedsWithWrongHandle(int seed) throws IOException, InterruptedException {
        String rounds = String.valueOf(Tries.of("calls", 50, 500, 3_000));

        Outcome outcome = program.run(String.valueOf(seed), rounds);

        assertThat(outcome.output()).as(outcome.toString()).matches("\\d+ calls, some well: yes, some badly: yes\n");
        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.status()).isZero();
    }
}

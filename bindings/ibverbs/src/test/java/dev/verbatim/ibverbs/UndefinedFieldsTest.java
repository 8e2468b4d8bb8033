// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields of completions that the manual leaves undefined have nothing in them where mistakes are looked for, by both ways to poll. */
class UndefinedFieldsTest {

    private static CProgram program;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("undefined.c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"poll", "extended"})
    void areSpoiledOnlyWhereMistakesAreLookedFor(String way) throws IOException, InterruptedException {
        program.run(way).assertWrote("""
                success:
                success:
                remote access error:
                Work Request Flushed Error:
                """);

        Outcome sanitized = program.run(Map.of("VERBATIM_SANITIZE", "yes"), way);

        assertThat(sanitized.output()).as(sanitized.errors()).isEqualTo("""
                success: imm_data src_qp slid sl dlid_path_bits
                success: byte_len imm_data src_qp slid sl dlid_path_bits
                remote access error: opcode byte_len imm_data src_qp wc_flags slid sl dlid_path_bits
                Work Request Flushed Error: opcode byte_len imm_data src_qp wc_flags slid sl dlid_path_bits
                """);
        assertThat(sanitized.status()).isZero();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A C program whose device has no heap left goes on: what would keep heap is refused with ENOMEM, and destroying gives it back. */
class FullHeapTest {

    @Test
    void verbsAreRefusedAndDestroyingGivesRoom() throws IOException, InterruptedException {
        CProgram program = CProgram.compile("full.c", "-lrdmacm");
        String options = CProgram.environment().get("VERBATIM_JVM_OPTIONS");

        CProgram.Outcome outcome = program.run(Map.of("VERBATIM_JVM_OPTIONS", options.replace("-Xmx128m", "-Xmx24m")));

        assertThat(outcome.output())
                .as(outcome.errors())
                .isEqualTo("filled: Cannot allocate memory\nrefused: some\nrefused: 0\n");
        assertThat(outcome.errors()).doesNotContain("Error", "failed");
        assertThat(outcome.status()).isZero();
    }
}

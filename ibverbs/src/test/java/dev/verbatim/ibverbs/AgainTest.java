// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import dev.verbatim.testing.Tries;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What is opened and closed again leaves no descriptor and no thread. */
class AgainTest {

    @Test
    void openingAndClosingAgainAndAgainLeavesNothing() throws IOException, InterruptedException {
        String rounds = String.valueOf(Tries.of("opens", 100, 1_000, 5_000));

        Outcome outcome = CProgram.compile("again.c", "-lrdmacm").run(rounds);

        assertThat(outcome.output()).as(outcome.toString()).isEqualTo("failed 0, descriptors +0, threads +0\n");
        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.status()).isZero();
    }
}

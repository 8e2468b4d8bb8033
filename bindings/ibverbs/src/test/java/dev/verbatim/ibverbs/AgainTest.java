// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import dev.verbatim.testing.Tries;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What is opened and closed again leaves no descriptor and no thread. */
class AgainTest {

    @Test
    void openingAndClosingAgainAndAgainLeavesNothing() throws IOException, InterruptedException {
        String rounds = String.valueOf(Tries.of("opens", 100, 1_000, 5_000));

        CProgram.compile("again.c", "-lrdmacm").run(rounds).assertWrote("failed 0, descriptors +0, threads +0\n");
    }
}

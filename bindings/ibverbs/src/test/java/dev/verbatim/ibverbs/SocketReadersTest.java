// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Threads that read one rsocket. */
class SocketReadersTest {

    @Test
    void threadWhoseBytesAnotherReadWaitsForMore() throws IOException, InterruptedException {
        Outcome outcome = CProgram.compile("readers.c", "-lrdmacm").run();

        assertThat(outcome.output())
                .as(outcome.toString())
                .isEqualTo("shut down 0, 500 bytes, the end seen too early 0 times\n");
        assertThat(outcome.status()).isZero();
    }
}

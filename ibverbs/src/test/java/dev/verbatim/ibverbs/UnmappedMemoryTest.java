// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Programs unmap memory that is registered, also while packets refer to it on their way to a socket. */
class UnmappedMemoryTest {

    @Test
    void requestsThatTouchUnmappedMemoryFailAndBothProcessesGoOn() throws IOException, InterruptedException {
        Outcome outcome = CProgram.compile("unmapped.c").run();

        assertThat(outcome.output()).as(outcome.toString()).isEqualTo("""
                target of WRITE gone: remote operation error
                target of READ gone: remote operation error
                source of WRITE gone: local protection error
                target of WRITE goes: ended
                target of READ goes: ended
                source of WRITE goes: ended
                source of WRITE goes while it waits: local protection error
                all there: success
                """);
        assertThat(outcome.errors()).contains("it was unmapped");
        assertThat(outcome.status()).isZero();
    }
}

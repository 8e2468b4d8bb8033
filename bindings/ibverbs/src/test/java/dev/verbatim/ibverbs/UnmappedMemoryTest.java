// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Programs unmap memory that is registered, also while packets refer to it on their way to a socket. */
class UnmappedMemoryTest {

    @Test
    void requestsThatTouchUnmappedMemoryFailAndBothProcessesGoOn() throws IOException, InterruptedException {
        Outcome outcome = CProgram.compile("unmapped.c").run();

        assertThat(outcome.output()).as(outcome.toString()).isEqualTo("""
                target of WRITE gone: remote operation error
                source of READ gone: remote operation error
                source of WRITE gone: local protection error
                target of WRITE goes: ended
                source of READ goes: ended
                source of WRITE goes: ended
                source of WRITE goes while it waits: local protection error
                all there: success
                """);
        assertThat(outcome.errors()).contains("it was unmapped");
        assertThat(outcome.status()).isZero();
    }

    /**
     * Between the look at a page and the copy: the program holds the library up at a second page, by userfaultfd(2), and unmaps the first.
     * In code of C2, which is compiled early here, the fault is thrown where the thread can be stopped next.
     */
    @Test
    void memoryThatGoesUnderTheCopyFailsThatRequestAlone() throws IOException, InterruptedException {
        Map<String, String> variables = Map.of(
                "VERBATIM_JVM_OPTIONS",
                CProgram.environment().get("VERBATIM_JVM_OPTIONS")
                        + "\n-XX:TieredStopAtLevel=4\n-XX:-TieredCompilation\n-XX:CompileThreshold=1000");

        Outcome outcome = CProgram.compile("unmapped.c").run(variables, "copy");

        assumeFalse(outcome.errors().contains("faults >= 0"), outcome.errors()); // userfaultfd is not permitted here
        assertThat(outcome.output()).as(outcome.toString()).isEqualTo("""
                target of WRITE goes under the copy: remote operation error
                source of WRITE goes under the copy: local protection error
                source of READ goes under the copy: remote operation error
                target of READ goes under the copy: local protection error
                all there: success
                """);
        assertThat(outcome.errors())
                .contains("cannot be written: its pages were replaced", "cannot be read: its pages were replaced")
                .doesNotContain("failed");
        assertThat(outcome.status()).isZero();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many queue pairs and many threads of one program: each request completes once, and the memory of the process stays what it was. */
class ScaleTest {

    private static final int QUEUES = System.getProperty("verbatim.ci") == null ? 200 : 1_000;

    private static CProgram program;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("scale.c");
    }

    private static void assertDone(String expected, String... words) throws IOException, InterruptedException {
        Outcome outcome = program.run(words);
        assertThat(outcome.output()).as(outcome.errors()).isEqualTo(expected);
        assertThat(outcome.status()).isZero();
    }

    @Test
    void eachRequestOfManyQueuePairsCompletesOnce() throws IOException, InterruptedException {
        assertDone(
                QUEUES + " queue pairs: " + QUEUES * 10
                        + " requests, 0 lost, 0 doubled, 0 failed, 0 wrong, memory flat\n",
                "queues",
                String.valueOf(QUEUES),
                "10");
    }

    @Test
    void eachRequestOfThreadsWithQueuesOfTheirOwnCompletesOnce() throws IOException, InterruptedException {
        assertDone(
                "16 threads: 8000 requests, 0 lost, 0 doubled, 0 failed, 0 wrong, memory flat\n", "own", "16", "500");
    }

    @Test
    void eachRequestOfThreadsThatShareQueuesCompletesOnce() throws IOException, InterruptedException {
        assertDone(
                "16 threads that share: 8000 requests, 0 lost, 0 doubled, 0 failed, 0 wrong, memory flat\n",
                "shared",
                "16",
                "500");
    }

    @Test
    void newObjectTakesNoLongerWithManyOthers() throws IOException, InterruptedException {
        assertDone("100000 windows: the last take no longer\n", "windows", "100000");
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads, forks, signals and ends of a C program are as they would be without a JVM in it. */
class ProcessTest {

    private static CProgram process;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        process = CProgram.compile("process.c", "-lrdmacm");
    }

    @ParameterizedTest
    @CsvSource({
        "nothing, 17, query 0 well",
        "fault, 139, ''",
        "fault-handled-before, 51, handled",
        "fault-handled-after, 51, handled",
        "interrupt, 130, ''",
        "interrupt-handled, 42, handled",
        "terminate, 143, ''",
        "user-signal-handled, 52, handled",
        "abort, 134, ''",
        "broken-pipe, 141, ''",
    })
    void endsAsWithoutDevice(String what, int status, String output) throws IOException, InterruptedException {
        Outcome outcome = process.run(what);

        assertThat(outcome.status()).as(outcome.toString()).isEqualTo(status);
        assertThat(outcome.output().strip()).isEqualTo(output);
        assertThat(outcome.errors()).isEmpty();
    }

    @Test
    void childOfProcessThatUsedVerbsHasNoDeviceAndGoesOn() throws IOException, InterruptedException {
        Outcome outcome = process.run("children");

        assertThat(outcome.output())
                .isEqualTo("child query 19\nchild pd none 19\nchild 5\nfrom a shell\nsystem 4\nquery 0 well\n");
        assertThat(outcome.errors()).containsOnlyOnce("ENODEV").hasLineCount(1);
        assertThat(outcome.status()).isZero();
    }

    @Test
    void everyCallOfChildSaysThatThereIsNoDevice() throws IOException, InterruptedException {
        String calls = "poll -1 arm 19 send 19 receive 19 event -1 19 completion -1 19 channel 0 19 id -1 19 list 0 19"
                + " destroy 19 19\nchild 6\n";

        Outcome outcome = process.run("child-calls");

        assertThat(outcome.output()).as(outcome.toString()).isEqualTo(calls + calls + "query 0 well\n");
        assertThat(outcome.errors().lines())
                .as("one line of each child")
                .hasSize(2)
                .allMatch(line -> line.contains("ENODEV"));
        assertThat(outcome.status()).isZero();
    }

    @Test
    void childThatUsesVerbsFirstHasDeviceOfItsOwn() throws IOException, InterruptedException {
        Outcome outcome = process.run("fork-first");

        assertThat(outcome.output()).isEqualTo("query 0 well\nchild 3\nquery 0 well\n");
        assertThat(outcome.errors()).isEmpty();
    }

    @Test
    void threadsWithSmallStacksCallAndWaitingThreadsAreCancelled() throws IOException, InterruptedException {
        Outcome outcome = process.run("threads");

        assertThat(outcome.output()).isEqualTo("query 0 well\nquery 0 well\nquery 0 well\ncancelled 1\nquery 0 well\n");
        assertThat(outcome.status()).isZero();
    }

    /** Over RoCEv2, where no socket ends that would tell it. */
    @Test
    void peerOfProgramThatExitsWithoutDisconnectingIsTold() throws IOException, InterruptedException {
        Outcome outcome = CProgram.compile("farewell.c", "-lrdmacm").run();

        assertThat(outcome.output()).as(outcome.toString()).isEqualTo("RDMA_CM_EVENT_DISCONNECTED\n");
        assertThat(outcome.status()).isZero();
    }
}

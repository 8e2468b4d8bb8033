// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a C program sees of queue pairs and completion queues. */
class DataPathTest {

    private static CProgram program;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("datapath.c");
    }

    @Test
    void chainStopsAtRefusedRequestAndInlineDataLiesAnywhere() throws IOException, InterruptedException {
        program.run("chains").assertWrote("""
                refused 22 at 1
                wr_id 1 status 0 opcode 1: on the stack
                more 0
                refused 22 at 1
                full 12 after all: 1, bad 1
                """);
    }

    @Test
    void batchIsPostedWholeOrNotAtAll() throws IOException, InterruptedException {
        program.run("batches").assertWrote("""
                complete 0
                wr_id 10
                wr_id 11
                abcdefgh
                too long 12
                too many 12
                too many elements 22
                without start 22
                more 0: abcdefgh
                """);
    }

    @Test
    void completionIsReadFieldByField() throws IOException, InterruptedException {
        program.run("fields").assertWrote("""
                empty 2
                wr_id 5 status 0 opcode 128 imm 11223344 flags 2 length 0 qp 1
                wr_id 6 status 0 opcode 0
                """);
    }

    @Test
    void eventMakesDescriptorReadableAndQueueWaitsForAcknowledgement() throws IOException, InterruptedException {
        program.run("events").assertWrote("""
                armed 0 readable 0
                event 0 of cq 1 context 1
                armed 0 readable 0
                event 0 of cq 1 context 1
                readable 0
                destroyed 16 16 in use 16
                destroyed 0 after acknowledgement 1
                destroyed 0
                """);
    }

    @Test
    void queueIsDestroyedWhileAnotherThreadAcknowledges() throws IOException, InterruptedException {
        program.run("acknowledgements").assertWrote("""
                refused 0
                """);
    }

    @Test
    void attributesComeBackAndWhatCannotBeIsRefused() throws IOException, InterruptedException {
        program.run("attributes").assertWrote("""
                usual: 0
                type 77: 22
                driver: 95
                segmentation: 95
                atomic write: 0
                unknown mask: 95
                hash: 95
                flags: 95
                no queue: 22
                huge: 22
                query 0
                state 3 3 mtu 3 rq_psn 234567 sq_psn 234567 dest 1
                global 1 flow fffff hops 9 class 3 port 1
                timeout 14 retry 5 rnr 6 reads 2 2 timer 12 access 2
                all signaled 1 type 2 at least as asked 1
                rate 95 unknown 95 mtu 22
                failed 0 state 6
                """);
    }

    @Test
    void operationThatProfileHasNotIsRefused() throws IOException, InterruptedException {
        Outcome outcome = program.run(Map.of("VERBATIM_PROFILE", "RXE_LIKE"), "attributes");

        assertThat(outcome.output()).contains("usual: 0\n", "atomic write: 95\n");
    }

    @Test
    void wordOfAtomicWriteNeedsNoRoomForInlineData() throws IOException, InterruptedException {
        Outcome outcome = program.run(Map.of("VERBATIM_PROFILE", "STRICT_IBTA"), "word");

        assertThat(outcome.output()).isEqualTo("complete 0\nwr_id 31 status 0: one word\n");
    }
}

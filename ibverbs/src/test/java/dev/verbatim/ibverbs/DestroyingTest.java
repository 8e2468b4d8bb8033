// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a C program destroys or closes while events of it wait or are not acknowledged. */
class DestroyingTest {

    private static CProgram program;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("destroying.c", "-lrdmacm");
    }

    private static void assertOutput(String what, String expected) throws IOException, InterruptedException {
        Outcome outcome = program.run(what);

        assertThat(outcome.output()).as(outcome.toString()).isEqualTo(expected);
        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.status()).isZero();
    }

    @Test
    void descriptorOfAsynchronousEventsIsReadableOnlyWhileOneWaits() throws IOException, InterruptedException {
        assertOutput("descriptors", """
                readable 1: last WQE reached; readable 0; destroyed 0
                readable 1: last WQE reached; readable 0; destroyed 0
                """);
    }

    @Test
    void queuePairOfIdentifierGoesWithItsEventsAndWaitsForAcknowledgements() throws IOException, InterruptedException {
        assertOutput("identifiers", """
                destroyed 1, acknowledged 0
                destroyed 1, acknowledged 1
                destroyed 0 0
                """);
    }

    @Test
    void contextIsClosedAlthoughACompletionEventIsNotAcknowledged() throws IOException, InterruptedException {
        assertOutput("contexts", "event 0; closed 0\n");
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a C program destroys or closes while events of it wait or are not acknowledged. */
class DestroyingTest {

    private static CProgram program;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("destroying.c", "-lrdmacm");
    }

    @Test
    void descriptorOfAsynchronousEventsIsReadableOnlyWhileOneWaits() throws IOException, InterruptedException {
        program.run("descriptors").assertWrote("""
                readable 1: last WQE reached; readable 0; destroyed 0
                readable 1: last WQE reached; readable 0; destroyed 0
                """);
    }

    @Test
    void descriptorIsNotReadableForEventsThatWentWithTheirObject() throws IOException, InterruptedException {
        assumeThat(Version.parse(System.getProperty("os.version")))
                .as("Linux that reads an eventfd without blocking whatever the program has set")
                .isGreaterThanOrEqualTo(Version.parse("5.8"));
        program.run("unread").assertWrote("""
                completion 1, then 0
                event 1, then 0
                event 1, then 0
                connection 1, then 0
                connection 1, then 0 and 1
                """);
    }

    @Test
    void queuePairOfIdentifierGoesWithItsEventsAndWaitsForAcknowledgements() throws IOException, InterruptedException {
        program.run("identifiers").assertWrote("""
                destroyed 1, acknowledged 0
                destroyed 1, acknowledged 1
                destroyed 0 0
                """);
    }

    @Test
    void contextIsClosedAlthoughACompletionEventIsNotAcknowledged() throws IOException, InterruptedException {
        program.run("contexts").assertWrote("event 0; closed 0\n");
    }

    @Test
    void objectIsNotThereForTheKernelInAnotherContextThanItsOwn() throws IOException, InterruptedException {
        program.run("foreign").assertWrote("""
                polled 0, modified 22, domain used 0
                destroyed 2 2 2 2 2 2 2 2 2
                destroyed 0 0 0 0 0 0 0 0 0
                """);
    }
}

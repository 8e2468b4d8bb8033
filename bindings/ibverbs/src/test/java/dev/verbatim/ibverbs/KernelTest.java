// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the kernel of Linux refuses and lets pass, by tables that the C program has from its sources. */
class KernelTest {

    private static CProgram program;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("kernel.c", "-lrdmacm");
    }

    @Test
    void eachTypeTakesAndDropsTheAttributesOfEachChangeOfState() throws IOException, InterruptedException {
        program.run("transitions").assertWrote("transitions tried\n");
    }

    @Test
    void identifiersTakeAddressesAndOptionsAsTheKernelDoes() throws IOException, InterruptedException {
        program.run("identifiers").assertWrote("""
                sizes 22 22 22 22 22
                unknown 38 38, NULL Bad address
                timeouts 0 0 0, of datagrams 22
                families EINVAL EINVAL EINVAL
                wildcards: EADDRNOTAVAIL, listen ok, late 22
                one shares: EADDRNOTAVAIL, listen ok, late 22
                both share: ok, listen EADDRNOTAVAIL, late 0
                families: EADDRNOTAVAIL, listen ok, late 22
                families apart: ok, listen ok ok
                RDMA_CM_EVENT_REJECTED 4 of the request, accept EINVAL
                """);
    }

    @Test
    void surplusAcknowledgementIsToldWhereItIsMade() throws IOException, InterruptedException {
        Outcome outcome = program.run(Map.of("VERBATIM_EXPLAIN", "yes"), "acknowledgements");
        assertThat(outcome.status()).isZero();
        assertThat(outcome.errors().lines().filter(line -> line.contains("was refused")))
                .containsExactly(
                        "verbatim: ibv_ack_cq_events was refused: EINVAL",
                        "verbatim: ibv_ack_cq_events was refused: EINVAL",
                        "verbatim: ibv_ack_async_event was refused: EINVAL");
        assertThat(outcome.errors())
                .contains("nevents=3 is more than the 1 events")
                .contains("nevents=1 is more than the 0 events")
                .contains("QP_LAST_WQE_REACHED of the object at 0x");
    }
}

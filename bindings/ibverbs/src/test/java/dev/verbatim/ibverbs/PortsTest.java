// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices with two ports, as a C program has them. */
class PortsTest {

    private static final String WITHOUT_FAULTS = """
            2 ports
            port 0: EINVAL, GID none, pkey none
            port 1: active, GID there, pkey there
            port 2: active, GID there, pkey there
            port 3: EINVAL, GID none, pkey none
            table: 1/0 2/0
            bound to port 1: ok, port_num 1
            bound to port 2: ok, port_num 2
            port 3 in INIT: EINVAL
            port 2, vector of port 1: EINVAL
            handle of port 3: EINVAL
            joined by port 1: ok
            joined by port 1: ok
            joined by port 2: ok
            write by port 1: success
            write by port 2: success
            """;

    private static CProgram program;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("ports.c", "-lrdmacm");
    }

    private static String output(String fabric, String faults, String word) throws IOException, InterruptedException {
        Outcome outcome = program.run(
                Map.of(
                        "VERBATIM_DEVICES",
                        "2",
                        "VERBATIM_PORTS",
                        "2",
                        "VERBATIM_FABRIC",
                        fabric,
                        "VERBATIM_FAULTS",
                        faults),
                word);
        assertThat(outcome.errors()).isEmpty();
        return outcome.output();
    }

    @Test
    void eachPortHasAGidAndQueuePairsOfItsOwn() throws IOException, InterruptedException {
        assertThat(output("tcp", "", "up"))
                .isEqualTo(WITHOUT_FAULTS + "write by port 2: success\nwrite by port 1: success\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "roce"})
    void portThatIsDownTakesItsQueuePairsWithItAndNoOthers(String fabric) throws IOException, InterruptedException {
        assertThat(output(fabric, "event type=PORT_ERR device=verbatim0 port=1 nth=2", "down"))
                .isEqualTo(WITHOUT_FAULTS + """
                        port error of port 1
                        write by port 2: success
                        write by port 1: transport retry counter exceeded
                        """);
    }
}

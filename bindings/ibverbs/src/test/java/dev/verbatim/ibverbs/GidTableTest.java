// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Programs see the GID tables that adapters have, and reach a peer by each entry that is not empty. */
class GidTableTest {

    private static CProgram program;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        program = CProgram.compile("gids.c");
    }

    private static String output(Map<String, String> variables) throws IOException, InterruptedException {
        Outcome outcome = program.run(variables);
        assertThat(outcome.errors()).isEmpty();
        return outcome.output();
    }

    @Test
    void portHasOneGidByDefault() throws IOException, InterruptedException {
        assertThat(output(Map.of("VERBATIM_DEVICES", "2")))
                .isEqualTo("1 entries, 1 of them known: 0\n0: IPv4 v2\n0: success, at index 0\n");
    }

    @Test
    void entriesHaveTheFormsThatAreWantedAndHolesAreRefused() throws IOException, InterruptedException {
        for (String fabric : new String[] {"tcp", "roce"}) {
            assertThat(output(Map.of(
                            "VERBATIM_DEVICES", "2", "VERBATIM_GIDS", "none,mlx5,none", "VERBATIM_FABRIC", fabric)))
                    .isEqualTo("""
                            6 entries, 4 of them known: 1 2 3 4
                            0: ENODATA
                            0: EINVAL
                            1: link-local v1
                            1: success, at index 1
                            2: link-local v2
                            2: success, at index 2
                            3: IPv4 v1
                            3: success, at index 3
                            4: IPv4 v2
                            4: success, at index 4
                            5: ENODATA
                            5: EINVAL
                            """);
        }
    }
}

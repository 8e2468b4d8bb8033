// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.ibverbs.CProgram.Outcome;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Memory that an rsocket maps for its peer. */
class MappedSocketTest {

    @Test
    void serverMapsBeforeTheConnectionIsEstablished() throws IOException, InterruptedException {
        Outcome outcome = CProgram.compile("riomap.c", "-lrdmacm").run();

        assertThat(outcome.output()).as(outcome.toString()).isEqualTo("riomap: mapped\nriowrite: 8\nmemory: written\n");
        assertThat(outcome.status()).isZero();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Spoken;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What programs get of this module says in a log what it is, and nothing that must not be there. */
class SpokenOverTcpTest {

    @Test
    void whatPublicMethodsReturnHasAText() {
        assertThat(Spoken.mute(
                        NettyFabric.class, Set.of("dev.verbatim.transport.netty", "dev.verbatim.transport.netty.roce")))
                .isEmpty();
    }
}

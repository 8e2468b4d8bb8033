// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ports that are given out unasked. */
class NdPortsTest {

    private static final int ALL = 65_536 - NdPorts.FIRST_EPHEMERAL;

    @Test
    void eachPortFrom49152OnIsGivenOnceAndThenThereIsNone() {
        try (Verbatim fabric = Verbatim.inProcess()) {
            NdSide side = new NdSide(fabric.open("left"));
            Set<Integer> ports = new HashSet<>();
            NdConnector last = side.bound();
            ports.add(port(last));
            for (int i = 1; i < ALL; i++) {
                ports.add(port(side.bound()));
            }
            assertThat(ports).hasSize(ALL).allMatch(port -> port >= NdPorts.FIRST_EPHEMERAL && port < 65_536);
            NdConnector none = side.adapter.createConnector(side.file);
            assertThat(none.bind(side.ownAddress(0))).isEqualTo(NdStatus.TOO_MANY_ADDRESSES);
            assertThat(none.bind(side.ownAddress(port(last)))).isEqualTo(NdStatus.SHARING_VIOLATION);
            int freed = port(last);
            last.release();
            assertThat(none.bind(side.ownAddress(0))).isEqualTo(NdStatus.SUCCESS);
            assertThat(port(none)).isEqualTo(freed);
        }
    }

    private static int port(NdConnector connector) {
        InetSocketAddress[] address = new InetSocketAddress[1];
        assertThat(connector.getLocalAddress(address, new NdSize())).isEqualTo(NdStatus.SUCCESS);
        return address[0].getPort();
    }
}

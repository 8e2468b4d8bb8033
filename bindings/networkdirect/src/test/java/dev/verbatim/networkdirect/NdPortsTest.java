// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.verbs.Device;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ports that are given out unasked. */
class NdPortsTest {

    @AutoClose
    private Verbatim fabric;

    private Device device;

    @BeforeEach
    void open() {
        fabric = Verbatim.inProcess();
        device = fabric.open("left");
    }

    @Test
    void theyBeginAt49152() {
        NdSide side = new NdSide(device);
        for (int port = 49_152; port < 49_155; port++) {
            InetSocketAddress[] address = new InetSocketAddress[1];
            assertThat(side.bound().getLocalAddress(address, new NdSize())).isEqualTo(NdStatus.SUCCESS);
            assertThat(address[0].getPort()).isEqualTo(port);
        }
    }
}

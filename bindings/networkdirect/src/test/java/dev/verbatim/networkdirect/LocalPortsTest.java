// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ports that are given out unasked. */
class LocalPortsTest {

    /** The last eight, for all 16,384 would take a while. */
    private static final int FIRST = 65_528;

    private static final int ALL = 8;

    @AutoClose
    private Verbatim fabric;

    private Device device;

    @BeforeEach
    void open() {
        fabric = Verbatim.inProcess();
        device = fabric.open("left");
    }

    @Test
    void eachUpToTheLastIsGivenOnceAndThenThereIsNone() {
        InetAddress own = device.gid().toInetAddress();
        InetSocketAddress any = new InetSocketAddress(own, 0);
        LocalPorts ports = new LocalPorts(own, FIRST);
        EventChannel channel = EventChannel.open(device);
        List<CmId> ids = new ArrayList<>();
        for (int i = 0; i < ALL; i++) {
            CmId id = channel.createId();
            assertThat(ports.bind(id, any)).isTrue();
            assertThat(port(id)).isEqualTo(FIRST + i);
            ids.add(id);
        }
        CmId none = channel.createId();
        assertThat(ports.bind(none, any)).isFalse();
        assertThatThrownBy(() -> ports.bind(none, new InetSocketAddress(own, FIRST)))
                .isInstanceOfSatisfying(
                        VerbsException.class, taken -> assertThat(taken.errno()).isEqualTo(Errno.EADDRINUSE));
        // Whichever becomes free is found, from wherever the search begins.
        for (int freed : new int[] {5, 2, ALL - 1, 0}) {
            ids.get(freed).close();
            CmId id = channel.createId();
            assertThat(ports.bind(id, any)).isTrue();
            assertThat(port(id)).isEqualTo(FIRST + freed);
            ids.set(freed, id);
        }
    }

    private static int port(CmId id) {
        return Objects.requireNonNull(id.localAddress()).getPort();
    }
}

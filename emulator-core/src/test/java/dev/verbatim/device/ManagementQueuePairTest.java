// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementAgent;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Rtu;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What goes in and out of queue pair 1. */
class ManagementQueuePairTest {

    private static final class Listener implements ManagementAgent {
        private final List<String> heard = new ArrayList<>();

        @Override
        public void received(Gid source, Octets mad) {
            heard.add(source + " " + mad);
        }

        @Override
        public void deviceClosed() {
            heard.add("closed");
        }
    }

    @Test
    void aDatagramArrivesAtTheAgentOfItsPeer() {
        try (Verbatim rdma = Verbatim.inProcess()) {
            ManagementPort left = ((ManagedDevice) rdma.open("left")).managementPort();
            ManagementPort right = ((ManagedDevice) rdma.open("right")).managementPort();
            Listener listener = new Listener();
            right.agent(port -> listener);
            Octets mad = new Rtu(1, 2, Octets.EMPTY).emit(7);

            left.lane().call(() -> assertThat(left.send(right.gid(), mad)).isTrue());
            left.lane().progress();

            assertThat(listener.heard).containsExactly(left.gid() + " " + mad);
        }
    }
}

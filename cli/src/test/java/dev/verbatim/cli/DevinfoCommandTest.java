// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.Verbatim;
import dev.verbatim.verbs.DeviceAttributes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("smoke")
class DevinfoCommandTest {

    @Test
    void printsWhatTheDeviceSaysInTheWordsOfIbvDevinfo() {
        String out = Invocation.of("devinfo").succeeded().out();
        try (Verbatim rdma = Verbatim.inProcess()) {
            DeviceAttributes device = rdma.open("any").query();
            assertThat(out)
                    .startsWith("hca_id:\tverbatim0\n\ttransport:")
                    .containsPattern("max_qp: +" + device.maxQp() + "\n")
                    .containsPattern("max_srq_sge: +" + device.maxSrqSge() + "\n")
                    .containsPattern("max_mr_size: +0x" + Long.toHexString(device.maxMrSizeBytes()) + "\n")
                    .containsPattern("atomic_cap: +ATOMIC_" + device.atomicCapability());
        }
        assertThat(out)
                .contains("\t\t\t\t\tMEM_WINDOW_TYPE_2B\n", "\t\tport:\t1\n")
                .containsPattern("state: +PORT_ACTIVE \\(4\\)")
                .containsPattern("active_mtu: +4096 \\(5\\)")
                .containsPattern("link_layer: +Ethernet")
                .containsPattern("GID\\[0\\]: +fe80:");
    }

    @Test
    void profilesDiffer() {
        String strict =
                Invocation.of("devinfo", "--profile", "STRICT_IBTA").succeeded().out();
        String rxe =
                Invocation.of("devinfo", "--profile", "rxe_like").succeeded().out();
        assertThat(rxe).isNotEqualTo(strict);
        Invocation.of("devinfo", "--profile", "none").failed(2, "--profile=none is not one of");
    }

    @Test
    void jsonHasTheSameLines() throws IOException {
        List<String> lines = Invocation.of("devinfo").succeeded().out().lines().toList();
        Object told = JSON.std
                .mapFrom(Invocation.of("devinfo", "--json").succeeded().out())
                .get("lines");
        assertThat(told).isInstanceOf(List.class);
        assertThat(((List<?>) told)
                        .stream().map(String::valueOf).filter(line -> !line.contains("guid") && !line.contains("GID")))
                .containsExactlyElementsOf(lines.stream()
                        .filter(line -> !line.contains("guid") && !line.contains("GID"))
                        .toList());
    }
}

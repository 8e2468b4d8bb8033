// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.transport.netty.roce.RoceFabric;
import dev.verbatim.transport.netty.roce.RoceOptions;
import dev.verbatim.verbs.Gid;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Commands of {@code roce}, with a device of this JVM as the peer, over epoll. */
@EnabledOnOs(OS.LINUX)
class RoceCommandTest {

    private static final InetAddress OWN = LoopbackAddress.of(71);
    private static final String HERE = OWN.getHostAddress();
    private static final InetAddress PEER = LoopbackAddress.of(72);
    private static final String THERE = PEER.getHostAddress();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        List<String> line = Stream.concat(Stream.of("roce"), Stream.of(args)).toList();
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(line.toArray(String[]::new));
    }

    private static Verbatim at(InetAddress address) {
        Verbatim rdma = Verbatim.over(RoceFabric.open(RoceOptions.at(address).withPeers(RoceOptions.Peers.VERBATIM)));
        rdma.open("peer");
        return rdma;
    }

    @Test
    void aPeerAtWhichNoProgramListensRejects() throws Exception {
        try (Verbatim peer = at(PEER)) {
            assertThat(peer.devices()).hasSize(1);
            assertThat(run("check", "--bind", HERE, "--transport", "epoll", "--patience", "10", THERE))
                    .as(err.toString())
                    .isZero();
        }
        assertThat(out.toString())
                .contains("carrier     EPOLL IPv4 ANY: ")
                .contains("address     " + HERE + ", interface loopback: only devices of this machine can reach it\n")
                .containsPattern("path MTU    4096 \\(active\\)")
                .contains("GID         " + Gid.of(OWN) + ", type RoCE v2, index 0")
                .contains("REJ with reason 8, INVALID_SERVICE_ID: both devices reach each other");
    }

    @Test
    @LongTest
    void aPeerThatIsNotThereIsNamed() {
        assertThat(run("check", "--bind", HERE, "--transport", "epoll", "--patience", "1", THERE))
                .isEqualTo(1);
        assertThat(out.toString()).contains("REQ         no answer: ").contains("UDP port 4791 in both directions");
        assertThat(err.toString()).contains("the peer at " + THERE + " did not answer");
    }

    @Test
    void anAddressWhosePortIsTakenIsNamed() throws Exception {
        try (Verbatim other = at(OWN)) {
            assertThat(other.devices()).hasSize(1);
            assertThat(run("check", "--bind", HERE, "--transport", "epoll")).isEqualTo(1);
        }
        assertThat(err.toString()).contains("EADDRINUSE").contains("4791");
    }

    @Test
    void optionsOutsideTheirRangesAreRefused() {
        assertThat(run("pingpong", "--bind", HERE, "--type", "xrc")).isEqualTo(2);
        assertThat(run("rping", "--bind", HERE, "--size", "31")).isEqualTo(2);
        assertThat(run("ucmatose", "--bind", HERE, "--messages", "0")).isEqualTo(2);
        assertThat(run("walk", "--bind", HERE)).isEqualTo(2);
        assertThat(err.toString())
                .contains("--type=xrc")
                .contains("size=31 is not in 32..65536")
                .contains("messages=0")
                .contains("walk needs SERVER");
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.verbatim.bench.Rows;
import dev.verbatim.bench.plan.BenchCase;
import dev.verbatim.bench.plan.Setting;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other libraries' programs print, and what is said where they are missing; none of them has to be there. */
class PeerTest {

    private static final String UCX_HEAD =
            "iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr,overall_mr\n";

    private static final String FABRIC_HEAD =
            "bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec\n";

    @Test
    void ucxTellsTheRateOfStreamsAndHalfTheRoundTripOfPingPongs() {
        String stream = UCX_HEAD + "2000,3.925,821.195,847.079,76.11,73.78,1218,1250\n";
        assertThat(Peer.UCX_TAG_BW.nanos(stream)).isEqualTo(800_000);
        String pingPong = UCX_HEAD + "20000,5.500,90.068,610.180,0.08,0.01,11103,1639\n";
        assertThat(Peer.UCX_TAG_LAT.nanos(pingPong)).isCloseTo(11_000, within(1e-6));
        String fadd = UCX_HEAD + "2000,10.761,199.019,199.019,0.04,0.04,5025,5025\n";
        assertThat(Peer.UCX_FADD.nanos(fadd)).isCloseTo(10_761, within(1e-6));
    }

    @Test
    void libfabricTellsHalfTheRoundTrip() {
        String printed = FABRIC_HEAD + "64      1k      =1k      125k       13.71s      0.01    4.80       0.00\n";
        assertThat(Peer.LIBFABRIC_PING_PONG.nanos(printed)).isCloseTo(9_600, within(1e-6));
    }

    @Test
    void otherOutputIsRefusedWithItsLastLine() {
        assertThatThrownBy(() -> Peer.UCX_TAG_BW.nanos("[error] no transport\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'[error] no transport' has fields=1, not 8");
        assertThatThrownBy(() -> Peer.LIBFABRIC_PING_PONG.nanos("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void programsAreFoundInTheFoldersOfThePath(@TempDir Path folder) throws IOException {
        String path = "/nowhere" + File.pathSeparator + folder;
        assertThat(PeerRun.isInstalled(PeerProgram.UCX, path)).isFalse();
        Path program = Files.createFile(folder.resolve("ucx_perftest"));
        assertThat(PeerRun.isInstalled(PeerProgram.UCX, path)).isFalse();
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(PeerRun.isInstalled(PeerProgram.UCX, path)).isTrue();
    }

    @Test
    void missingProgramIsSkippedWithOneSentenceHoweverOftenItIsWanted() {
        List<String> sentences = new ArrayList<>();
        Peers peers = new Peers(program -> false, sentences::add);
        for (BenchCase what : List.of(BenchCase.READ_LAT, BenchCase.WRITE_BW, BenchCase.WRITE_LAT)) {
            assertThat(peers.before(Rows.line(what, Setting.TCP_SPINNING, 8))).isEmpty();
        }
        assertThat(sentences)
                .containsExactly(
                        "ucx_perftest is not installed, so there is no UCX beside it; install the Debian package"
                                + " ucx-utils",
                        "fi_pingpong is not installed, so there is no libfabric beside it; install the Debian"
                                + " package libfabric-bin");
    }

    @Test
    void peersStayOnLoopback() {
        assertThat(PeerProgram.UCX.environment())
                .containsEntry("UCX_TLS", "tcp")
                .containsEntry("UCX_NET_DEVICES", "lo");
        assertThat(PeerProgram.UCX.client(5, "tag_bw", 8, 100)).contains("127.0.0.1", "tag_bw", "8", "100", "10");
        assertThat(PeerProgram.LIBFABRIC.client(5, "pingpong", 8, 100))
                .containsSubsequence("-d", "lo")
                .endsWith("-P", "5", "127.0.0.1");
        assertThat(PeerProgram.LIBFABRIC.server(5, 8, 100)).endsWith("-B", "5");
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import static dev.verbatim.bench.Rows.line;
import static dev.verbatim.bench.Rows.row;
import static dev.verbatim.bench.Rows.timed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.bench.plan.BenchCase;
import dev.verbatim.bench.plan.Line;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.transport.netty.SocketTransport;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GoalTest {

    /** The table of goals, as far as lines can tell. */
    @Test
    void linesHaveTheGoalsThatWereSet() {
        TreeSet<String> goals = new TreeSet<>();
        for (BenchCase what : BenchCase.values()) {
            for (Setting setting : Setting.values()) {
                for (SocketTransport transport : SocketTransport.values()) {
                    for (int sizeBytes : List.of(8, 4096, 1 << 16, 1 << 20)) {
                        Line line = line(what, setting, transport, sizeBytes);
                        Goal.of(line).stream()
                                .map(goal -> words(line, goal))
                                .filter(words -> sizeBytes == 8 || what.hasSizes())
                                .forEach(goals::add);
                    }
                }
            }
        }
        assertThat(goals)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of(
                                        "write-bw in-process 1048576: >=0.9x ByteBuffer.put",
                                        "write-lat in-process 8: <=0.15 us",
                                        "msg-rate in-process 8: >=8 M/s",
                                        "read-rate in-process 8: >=8 M/s",
                                        "chain-rate in-process 8: >=10 M/s",
                                        "read-chain-rate in-process 8: >=10 M/s",
                                        "send-rate in-process 8: >=5 M/s",
                                        "atomic-rate in-process 8: >=5 M/s",
                                        "msg-rate tcp-spinning nio 8: >=8 M/s",
                                        "msg-rate tcp-spinning epoll 8: >=10 M/s",
                                        "msg-rate tcp-spinning io_uring 8: >=8 M/s",
                                        "read-lat tcp-spinning epoll 8: <=1.3x spinning ping-pong",
                                        "read-lat tcp-spinning nio 8: <=2x spinning ping-pong",
                                        "read-lat roce-spinning nio 8: <=1.4x spinning datagrams",
                                        "write-bw roce-spinning nio 1048576: >=0.6x plain datagrams",
                                        "write-bw roce-blocking nio 1048576: >=0.6x plain datagrams",
                                        "atomic-lat tcp-blocking epoll 8: <=1x ucx ucp_fadd",
                                        "atomic-lat tcp-spinning epoll 8: <=1x ucx ucp_fadd"),
                                Stream.of("nio", "epoll", "io_uring").flatMap(GoalTest::ofEachTransport))
                        .toList());
    }

    private static Stream<String> ofEachTransport(String transport) {
        return Stream.of(
                "read-lat tcp-blocking " + transport + " 8: <=1.2x netty nio echo",
                "read-rate tcp-spinning " + transport + " 8: >=5 M/s",
                "send-rate tcp-spinning " + transport + " 8: >=5 M/s",
                "atomic-rate tcp-spinning " + transport + " 8: >=5 M/s",
                "write-bw tcp-blocking " + transport + " 65536: >=0.95x plain stream",
                "write-bw tcp-blocking " + transport + " 1048576: >=0.9x plain stream",
                "write-bw tcp-spinning " + transport + " 65536: >=0.95x plain stream",
                "write-bw tcp-spinning " + transport + " 1048576: >=1x plain stream",
                "write-bw tcp-blocking " + transport + " 65536: >=0.75x ucx tag_bw",
                "write-bw tcp-blocking " + transport + " 1048576: >=0.75x ucx tag_bw",
                "write-bw tcp-spinning " + transport + " 65536: >=0.75x ucx tag_bw",
                "write-bw tcp-spinning " + transport + " 1048576: >=0.75x ucx tag_bw");
    }

    private static String words(Line line, Goal goal) {
        String transport =
                line.transport() == null ? "" : " " + line.transport().name().toLowerCase(Locale.ROOT);
        return line.what() + " " + line.setting() + transport + " " + line.sizeBytes() + ": "
                + goal.describe(line.what().measure());
    }

    @Test
    void ratioIsMetAtItsBoundAndMissedBeyond() {
        Line line = line(BenchCase.WRITE_BW, Setting.TCP_BLOCKING, 1 << 16);
        assertThat(met(row(line, timed("verbatim", 1000), timed("plain stream", 950))))
                .containsExactly(true);
        assertThat(met(row(line, timed("verbatim", 1000), timed("plain stream", 949))))
                .containsExactly(false);
    }

    @Test
    void figureItselfIsMetAtItsBoundAndMissedBeyond() {
        Line line = line(BenchCase.WRITE_LAT, Setting.IN_PROCESS, 8);
        assertThat(met(row(line, timed("verbatim", 150)))).containsExactly(true);
        assertThat(met(row(line, timed("verbatim", 151)))).containsExactly(false);
    }

    @Test
    void figureIsNotJudgedOnASlowMachine() {
        Line here = line(BenchCase.MSG_RATE, Setting.IN_PROCESS, 8);
        assertThat(met(row(here, timed("verbatim", 500), timed("64 KiB copy", 800))))
                .containsExactly(false);
        assertThat(met(row(here, timed("verbatim", 500), timed("64 KiB copy", 801))))
                .isEmpty();
        Line tcp = line(BenchCase.MSG_RATE, Setting.TCP_SPINNING, 8);
        assertThat(met(row(tcp, timed("verbatim", 500), timed("plain 24 B frames", 10))))
                .containsExactly(false);
        assertThat(met(row(tcp, timed("verbatim", 500), timed("plain 24 B frames", 11))))
                .isEmpty();
    }

    @Test
    void goalIsNotJudgedWithoutItsYardstick() {
        Line line = line(BenchCase.WRITE_BW, Setting.TCP_BLOCKING, 1 << 16);
        assertThat(met(row(line, timed("verbatim", 1000)))).isEmpty();
        assertThat(met(row(line, timed("verbatim", 1000), timed("ucx tag_bw", 700))))
                .containsExactly(false);
    }

    private static List<Boolean> met(Row row) {
        return row.goals().stream().map(goal -> goal.isMet(row)).toList();
    }
}

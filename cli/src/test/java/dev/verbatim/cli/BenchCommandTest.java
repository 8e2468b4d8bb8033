// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command {@code bench}: that it measures and tells, never how fast. */
@Timeout(600)
class BenchCommandTest {

    private static final String[] BRIEF = {"--seconds", "0.005", "--rounds", "1", "--depth", "32"};

    private static List<Map<String, Object>> bench(String... options) throws IOException {
        String[] args = new String[options.length + BRIEF.length + 2];
        args[0] = "bench";
        args[1] = "--json";
        System.arraycopy(BRIEF, 0, args, 2, BRIEF.length);
        System.arraycopy(options, 0, args, 2 + BRIEF.length, options.length);
        List<Map<String, Object>> lines = new ArrayList<>();
        for (String line : Invocation.of(args).succeeded().out().lines().toList()) {
            lines.add(JSON.std.mapFrom(line));
        }
        assertThat(lines.get(0)).containsEntry("kind", "machine");
        assertThat(lines.get(lines.size() - 1)).containsEntry("kind", "result").containsKey("seconds");
        return lines.subList(1, lines.size() - 1);
    }

    private static List<String> words(List<Map<String, Object>> lines, String... keys) {
        return lines.stream()
                .map(line -> String.join(
                        " ",
                        Arrays.stream(keys)
                                .map(key -> String.valueOf(line.get(key)))
                                .toList()))
                .toList();
    }

    private static List<String> yardsticks(Map<String, Object> line) {
        return ((List<?>) line.get("yardsticks"))
                .stream()
                        .map(yardstick -> String.valueOf(((Map<?, ?>) yardstick).get("name")))
                        .toList();
    }

    @Test
    void inProcessEveryCaseIsMeasured() throws IOException {
        List<Map<String, Object>> lines = bench("--fabric", "in-process", "--sizes", "8,64K");

        assertThat(words(lines, "case", "mode", "sizeBytes"))
                .containsExactly(
                        "write-bw polling 8",
                        "write-bw polling 65536",
                        "read-bw polling 8",
                        "read-bw polling 65536",
                        "read-lat polling 8",
                        "write-lat polling 8",
                        "atomic-lat polling 8",
                        "msg-rate polling 8",
                        "chain-rate polling 8",
                        "read-rate polling 8",
                        "read-chain-rate polling 8",
                        "send-rate polling 8",
                        "atomic-rate polling 8");
        assertThat(lines)
                .allSatisfy(line -> assertThat((Double) line.get("median")).isPositive());
        assertThat(yardsticks(lines.get(0))).containsExactly("ByteBuffer.put");
        assertThat(yardsticks(lines.get(7))).containsExactly("64 KiB copy");
    }

    @Test
    @LongTest
    void overTcpTwoJvmsMeasureEachCaseBesideItsYardsticks() throws IOException {
        List<Map<String, Object>> lines = bench(
                "--mode=blocking",
                "--fabric=tcp",
                "--sizes=64K",
                "--case=write-bw,read-bw,read-lat,write-lat,atomic-lat,msg-rate");

        assertThat(words(lines, "case", "transport", "mode", "sizeBytes"))
                .containsExactly(
                        "write-bw nio blocking 65536",
                        "read-bw nio blocking 65536",
                        "read-lat nio blocking 8",
                        "write-lat nio blocking 8",
                        "atomic-lat nio blocking 8",
                        "msg-rate nio blocking 8");
        assertThat(lines.stream().map(BenchCommandTest::yardsticks).toList())
                .containsExactly(
                        List.of("plain stream"),
                        List.of("plain stream"),
                        List.of("netty nio echo", "plain ping-pong"),
                        List.of("netty nio echo", "plain ping-pong"),
                        List.of("netty nio echo", "plain ping-pong"),
                        List.of("plain 24 B frames"));
        assertThat(lines)
                .allSatisfy(line -> assertThat((Double) line.get("median")).isPositive());
    }

    @Test
    @LongTest
    void spinningIsMeasuredBesideWhatSpinsToo() throws IOException {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "spinning needs two processors");
        List<Map<String, Object>> lines = bench("--fabric=tcp", "--mode=spinning", "--case=read-lat");

        assertThat(words(lines, "case", "mode")).containsExactly("read-lat spinning");
        assertThat(yardsticks(lines.get(0))).containsExactly("spinning ping-pong");
    }

    @Test
    @LongTest
    void sideThatReceivesPollsWhereItSpins() throws IOException {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "spinning needs two processors");
        List<Map<String, Object>> lines = bench("--fabric=tcp", "--case=send-rate,chain-rate");

        assertThat(words(lines, "case", "mode"))
                .containsExactly("chain-rate blocking", "chain-rate spinning", "send-rate spinning");
        assertThat(lines).allSatisfy(line -> assertThat(yardsticks(line)).containsExactly("plain 24 B frames"));
    }

    @Test
    void oneThreadDrivesBothSides() throws IOException {
        List<Map<String, Object>> lines =
                bench("--fabric=tcp", "--mode=alternating", "--case=write-lat,msg-rate,send-rate,atomic-rate");

        assertThat(words(lines, "case", "transport", "mode"))
                .containsExactly(
                        "write-lat nio alternating",
                        "msg-rate nio alternating",
                        "send-rate nio alternating",
                        "atomic-rate nio alternating");
    }

    @Test
    void savedResultsAreComparedLineByLine(@TempDir Path folder) throws IOException {
        String file = folder.resolve("results.jsonl").toString();
        bench("--fabric=in-process", "--case=msg-rate", "--save", file);
        bench("--fabric=in-process", "--case=msg-rate", "--save", file);
        List<Map<String, Object>> lines = bench("--fabric=in-process", "--case=msg-rate,read-rate", "--compare", file);

        assertThat(words(lines, "kind", "line", "yardstick"))
                .containsExactly(
                        "measured null null",
                        "compared msg-rate in-process polling 8 B depth 32 64 KiB copy",
                        "measured null null",
                        "skipped null null");
        assertThat((List<?>) lines.get(1).get("before"))
                .as("rounds of both runs")
                .hasSize(2);
        assertThat(words(lines.subList(3, 4), "text"))
                .allMatch(text -> text.startsWith("read-rate in-process polling 8 B depth 32 is not compared: "));
    }

    @Test
    void fileOfOtherContentIsRefusedBeforeAnythingIsMeasured(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("notes.txt");
        Files.writeString(file, "buy milk\n");
        Invocation.of("bench", "--compare", file.toString())
                .failed(1, file + " is not a file of bench --save", "name another file");
        Invocation.of("bench", "--save", file.toString())
                .failed(1, file + " is not a file of bench --save", "name another file");
    }

    @Test
    void otherOptionsAreMeasuredInTurn() throws IOException {
        List<Map<String, Object>> lines = bench(
                "--fabric=in-process", "--case=write-lat,send-rate", "--beside-option=-Dverbatim.fast-path=false");

        assertThat(lines.stream().map(BenchCommandTest::yardsticks).toList())
                .containsExactly(List.of("beside", "64 KiB copy"), List.of("beside", "64 KiB copy"));
    }

    /** Each line ends with a mistake that has to be found, or it fails. */
    @Test
    @LongTest
    void sanitizedOperationsAreMeasuredInTurn() throws IOException {
        List<Map<String, Object>> lines =
                bench("--fabric=in-process", "--case=msg-rate,send-rate", "--beside-option=-Dverbatim.sanitize=true");

        assertThat(lines.stream().map(BenchCommandTest::yardsticks).toList())
                .containsExactly(List.of("beside", "64 KiB copy"), List.of("beside", "64 KiB copy"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @LongTest
    void overRoceTwoJvmsMeasureBesideDatagrams() throws IOException {
        List<Map<String, Object>> lines =
                bench("--fabric=roce", "--mode=blocking", "--sizes=64K", "--case=write-bw,read-lat");

        List<Map<String, Object>> measured =
                lines.stream().filter(line -> line.containsKey("median")).toList();
        assertThat(words(measured, "case", "fabric", "transport", "mode"))
                .containsExactly("write-bw roce nio blocking", "read-lat roce nio blocking");
        assertThat(measured.stream().map(BenchCommandTest::yardsticks).toList())
                .containsExactly(List.of("plain datagrams"), List.of("datagram ping-pong"));
    }

    @Test
    @LongTest
    void whatIsPaidOnceIsToldPartByPart() throws IOException {
        List<Map<String, Object>> lines = bench("--case", "startup,idle");

        assertThat(words(lines, "case", "part", "unit"))
                .containsExactly(
                        "startup JVM start ms",
                        "startup open ms",
                        "startup connect ms",
                        "startup first WRITE ms",
                        "startup open to first WRITE ms",
                        "idle queue pair: create and connect both ends us",
                        "idle queue pair: heap B",
                        "idle queue pair: direct memory B",
                        "idle queue pair: resident memory B",
                        "idle queue pair: heap and direct memory B",
                        "idle link: dial us",
                        "idle link: heap B",
                        "idle link: direct memory B",
                        "idle link: resident memory B");
    }

    @Test
    @LongTest
    void aCrowdOfQueuePairsIsConnectedAndMovesData() throws IOException {
        List<Map<String, Object>> lines = bench("--case", "many-qps");

        assertThat(words(lines, "case", "part", "unit"))
                .containsExactly(
                        "many-qps 1000 queue pairs: create and connect both ends s",
                        "many-qps each, idle: heap and direct memory B",
                        "many-qps until each has done a WRITE and a SEND, and all bytes were looked at s");
    }

    @Test
    @LongTest
    void connectionsComeAndGo() throws IOException {
        List<Map<String, Object>> lines = bench("--case", "connects");

        assertThat(words(lines, "case", "part", "unit"))
                .containsExactly(
                        "connects each, one after another: connect and disconnect, both ends us",
                        "connects each, 64 at a time us");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--case=speed | --case=speed is not one of write-bw, read-bw, read-lat, write-lat, atomic-lat, msg-rate,"
                        + " chain-rate, read-rate, read-chain-rate, send-rate, atomic-rate, startup, idle, many-qps, connects",
                "--fabric=pigeon | --fabric=pigeon is not one of in-process, tcp, roce, roce-no-icrc",
                "--fabric=roce --roce=127.0.0.1 | --roce=127.0.0.1 does not name two addresses",
                "--mode=waiting | --mode=waiting is not one of blocking, spinning, alternating",
                "--transport=kqueue | --transport=kqueue is not one of nio, epoll, io_uring",
                "--sizes=4 | --sizes: '4' is not in 8 to 16M",
                "--depth=3 | --depth=3 is not in 4..16384",
                "--seconds=0 | --seconds=0.0 or --rounds=5 is out of range",
                "--rounds=0 | --seconds=0.8 or --rounds=0 is out of range",
                "--case=idle --fabric=in-process | --case=idle is measured over tcp only"
            })
    void whatIsNotUnderstoodIsSaidInOneLine(String options, String sentence) {
        String[] args = ("bench " + options).split(" ", -1);
        Invocation.of(args).failed(2, sentence, "see verbatim bench --help");
    }
}

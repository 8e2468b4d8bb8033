// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.bench.plan.BenchFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results in a file. */
class HistoryFileTest {

    private static final Result RATE = new Result(
            "msg-rate", List.of(100.0, 110.5), List.of(90.0, 95.0), Map.of("64 KiB copy", List.of(700.0, 800.0)));
    private static final Result LATENCY = new Result("write-lat", List.of(300.0), List.of(310.0), Map.of());

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("results.jsonl");
    }

    @Test
    void whatWasSavedIsRead() {
        HistoryFile history = HistoryFile.append(file(), Map.of("run", "first"));
        history.add(RATE);
        history.add(LATENCY);

        assertThat(HistoryFile.read(file()))
                .containsExactlyInAnyOrderEntriesOf(Map.of("msg-rate", RATE, "write-lat", LATENCY));
    }

    @Test
    void roundsOfLaterRunsAreAddedToThoseOfTheSameLine() {
        HistoryFile.append(file(), Map.of("run", "first")).add(RATE);
        HistoryFile.append(file(), Map.of("run", "second"))
                .add(new Result("msg-rate", List.of(50.0), List.of(40.0), Map.of("64 KiB copy", List.of(600.0))));

        assertThat(HistoryFile.read(file()).get("msg-rate"))
                .isEqualTo(new Result(
                        "msg-rate",
                        List.of(100.0, 110.5, 50.0),
                        List.of(90.0, 95.0, 40.0),
                        Map.of("64 KiB copy", List.of(700.0, 800.0, 600.0))));
    }

    @Test
    void yardstickThatOneRunLacksIsLeftOut() {
        HistoryFile.append(file(), Map.of("run", "first")).add(RATE);
        HistoryFile.append(file(), Map.of("run", "second"))
                .add(new Result("msg-rate", List.of(50.0), List.of(40.0), Map.of("beside", List.of(60.0))));

        assertThat(HistoryFile.read(file()).get("msg-rate").yardsticks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "buy milk\n", "[1]\n", "{\"format\":\"other\",\"version\":1}\n", "{\"version\":1}\n"})
    void fileOfAnotherFormatIsRefused(String content) throws IOException {
        Files.writeString(file(), content);
        assertThatThrownBy(() -> HistoryFile.read(file()))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining(file() + " is not a file of bench --save");
    }

    @Test
    void bytesThatAreNoTextAreRefused() throws IOException {
        Files.write(file(), new byte[] {(byte) 0xff, 0, 1, 2});
        assertThatThrownBy(() -> HistoryFile.append(file(), Map.of("run", "first")))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("is not a file of bench --save");
        assertThat(file()).as("nothing is added").hasSize(4);
    }

    @Test
    void fileOfAnotherVersionIsRefused() throws IOException {
        Files.writeString(file(), "{\"format\":\"verbatim-bench\",\"version\":2}\n");
        assertThatThrownBy(() -> HistoryFile.read(file()))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("has version=2 of the format, but this bench reads and writes version=1");
        assertThatThrownBy(() -> HistoryFile.append(file(), Map.of("run", "first")))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("version=2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no json",
                "{\"line\":7}",
                "{\"line\":\"a\",\"nanos\":[1],\"cpuNanos\":[1]}",
                "{\"line\":\"a\",\"nanos\":[\"1\"],\"cpuNanos\":[1],\"yardsticks\":{}}",
                "{\"line\":\"a\",\"nanos\":[-1],\"cpuNanos\":[1],\"yardsticks\":{}}",
                "{\"line\":\"a\",\"nanos\":[1],\"cpuNanos\":[1],\"yardsticks\":{\"b\":[1,2]}}"
            })
    void damagedLineIsNamed(String line) throws IOException {
        HistoryFile.append(file(), Map.of("run", "first")).add(RATE);
        Files.writeString(file(), Files.readString(file()) + line + "\n", StandardCharsets.UTF_8);
        assertThatThrownBy(() -> HistoryFile.read(file()))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("is damaged in line 4");
    }

    @Test
    void missingFileIsNamed() {
        assertThatThrownBy(() -> HistoryFile.read(folder.resolve("none")))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining(folder.resolve("none") + " cannot be read");
        assertThatThrownBy(() -> HistoryFile.append(folder.resolve("no/folder"), Map.of("run", "first")))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("cannot be written");
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergeCommandTest {

    private static final String[] EXPLORE = {"explore", "--programs", "22", "--seed", "7", "--json"};
    private static final String[] LITMUS = {"litmus", "LT-02", "LT-01", "LT-04", "LT-02", "--json"};

    @TempDir
    private Path directory;

    @Test
    void partsOfExploreGiveWhatOneProcessGives() throws IOException {
        String whole = exits(0, Invocation.of(EXPLORE)).out();

        List<String> files = parts(4, EXPLORE);
        Collections.reverse(files);

        assertThat(withoutTimes(merged(files))).isEqualTo(withoutTimes(whole));
    }

    @Test
    void partsOfLitmusGiveWhatOneProcessGives() throws IOException {
        String whole = exits(0, Invocation.of(LITMUS)).out();

        List<String> files = parts(3, LITMUS);
        files.add(files.remove(0));

        assertThat(withoutTimes(merged(files))).isEqualTo(withoutTimes(whole));
    }

    @Test
    void mergedPartsSayWhatIsRobust() throws IOException {
        List<String> files = parts(2, "litmus", "LT-02", "LT-01", "--robust", "--json");

        assertThat(exits(0, Invocation.of("merge", files.get(1), files.get(0))).out())
                .containsSubsequence(
                        "ok     LT-02.yaml",
                        "  not robust: beyond sequential consistency:\n    r=1  by read-fetch, or arrival\n",
                        "ok     LT-01.yaml",
                        "  robust: all outcomes are those of sequential consistency\n");
    }

    @Test
    void partsOfRunGiveWhatOneProcessGives() throws IOException {
        Path wrong = directory.resolve("wrong.yaml");
        Files.writeString(wrong, """
                title: What is not so
                nodes: {a: {words: {x: 0}, program: [{load: {x: seen}}]}}
                allowed: [{seen: 1}]
                """);
        String[] run = {"run", "LT-02", wrong.toString(), "LT-01", "LT-02", "TR-6", "--json"};
        Invocation whole = exits(1, Invocation.of(run));

        List<String> files = parts(3, 1, run);
        files.add(files.remove(0));

        assertThat(exits(1, merge(files)).out()).isEqualTo(whole.out());
        List<String> words = new ArrayList<>(List.of("merge"));
        words.addAll(files);
        assertThat(exits(1, Invocation.of(words.toArray(String[]::new))).out())
                .isEqualTo(Invocation.of("run", "LT-02", wrong.toString(), "LT-01", "LT-02", "TR-6")
                        .out());
        assertThat(exits(1, merge(files.subList(0, 2))).err()).contains("missing: --shard 1/3");
    }

    @Test
    @LongTest
    void soakThatFoundSomethingCountsOfTwo() throws IOException {
        String[] soak = {"soak", "--seed", "5", "--seconds", "0.1", "--threads", "2", "--fabric", "in-process", "--json"
        };
        List<String> files = parts(2, soak);
        assertThat(exits(0, merge(files)).out().lines())
                .hasSize(3)
                .satisfiesExactly(
                        first -> assertThat(first).contains("\"kind\":\"soak\",\"seed\":5,"),
                        second -> assertThat(second).contains("\"kind\":\"soak\",\"seed\":6,"),
                        last -> assertThat(last)
                                .isEqualTo("{\"kind\":\"result\",\"good\":2,\"bad\":0,\"asExpected\":true}"));
        Path other = directory.resolve("other");
        Files.writeString(
                other,
                Files.readString(Path.of(files.get(1)))
                        .replace("\"findings\":[]", "\"findings\":[{\"what\":\"a leak\"}]")
                        .replace("\"findingCount\":0,\"asExpected\":true", "\"findingCount\":1,\"asExpected\":false"));
        for (List<String> order : List.of(
                List.of(files.get(0), files.get(1), other.toString()),
                List.of(other.toString(), files.get(1), files.get(0)))) {
            List<String> words = new ArrayList<>(List.of("merge"));
            words.addAll(order);
            assertThat(exits(1, Invocation.of(words.toArray(String[]::new))).out())
                    .contains(
                            "seed 5, 2 threads, in-process: every request is accounted for", "WRONG  a leak", "seed 6")
                    .endsWith(": 1 failures\n");
        }
        String begun = Files.readString(other).lines().findFirst().orElseThrow();
        Files.writeString(other, begun + "\n");
        assertThat(exits(1, merge(List.of(files.get(0), other.toString()))).err())
                .contains("part 2/2 was cut");
    }

    @Test
    void partsThatCameTwiceOrWereCutOrAreMissingAreKnown() throws IOException {
        List<String> files = parts(3, EXPLORE);
        String second = Files.readString(Path.of(files.get(1)));
        Path cut = directory.resolve("cut");
        Files.writeString(cut, second.substring(0, second.length() - 10));

        String all = merged(files);
        assertThat(withoutTimes(
                        merged(List.of(files.get(0), cut.toString(), files.get(1), files.get(2), files.get(1)))))
                .isEqualTo(withoutTimes(all));
        assertThat(exits(1, merge(List.of(files.get(0), cut.toString(), files.get(2))))
                        .err())
                .contains(cut + ": part 2/3 was cut; run it again");
        assertThat(exits(1, merge(List.of(files.get(1)))).err())
                .contains("missing: --shard 1/3, --shard 3/3; run them, and merge all again");
    }

    @Test
    void partThatStoppedAfterFailuresIsNotTheWhole() throws IOException {
        List<String> files = parts(2, EXPLORE);
        Path first = Path.of(files.get(0));
        Files.writeString(first, Files.readString(first).replace("\"programs\":11", "\"programs\":9"));

        assertThat(exits(1, merge(files)).err()).contains("part 1/2 stopped early, with 2 units of work left");
    }

    @Test
    void failuresOfAllPartsAreToldInTheirOrder() throws IOException {
        Path one = directory.resolve("1");
        Path two = directory.resolve("2");
        String job = "\"version\":\"v\",\"job\":{\"seed\":3,\"programs\":4,\"option\":\"\"}}\n";
        Files.writeString(
                one, "{\"kind\":\"shard\",\"command\":\"explore\",\"shard\":1,\"of\":2," + job + failure(2) + end());
        Files.writeString(
                two, "{\"kind\":\"shard\",\"command\":\"explore\",\"shard\":2,\"of\":2," + job + failure(1) + end());

        assertThat(exits(1, Invocation.of("merge", one.toString(), two.toString()))
                        .out())
                .containsSubsequence(
                        "WRONG  program 1 of seed 3", "  bad", "replay: again 1", "WRONG  program 2", ": 2 wrong");
    }

    private static String failure(int program) {
        return "{\"kind\":\"failure\",\"program\":" + program + ",\"again\":\"again " + program
                + "\",\"troubles\":[\"bad\"]}\n";
    }

    private static String end() {
        return "{\"kind\":\"counts\",\"seconds\":1.5,\"counts\":{\"TOTALS\":{\"programs\":2,\"failures\":1}}}\n"
                + "{\"kind\":\"result\"}\n";
    }

    @Test
    void whatIsNoPartOfTheJobIsRefused() throws IOException {
        List<String> files = parts(2, EXPLORE);
        String other =
                parts(2, "explore", "--programs", "2", "--seed", "8", "--json").get(1);
        Path changed = directory.resolve("changed");
        Files.writeString(changed, Files.readString(Path.of(files.get(0))).replace("\"packets\":", "\"packets\":1"));
        Path text = directory.resolve("text");
        Files.writeString(text, "{\"kind\":\"result\"}\n");

        assertThat(exits(2, merge(List.of(files.get(0), other))).err()).contains("are of different jobs", "seed=8");
        assertThat(exits(2, merge(List.of(files.get(0), changed.toString()))).err())
                .contains("differ, though both are part 1/2 of one job");
        Path odd = directory.resolve("odd");
        Files.writeString(
                odd, Files.readString(Path.of(files.get(0))).replaceFirst("\"events\":[0-9]+", "\"events\":\"x\""));
        Path demo = directory.resolve("demo");
        Files.writeString(demo, Files.readString(Path.of(files.get(0))).replace("\"explore\"", "\"demo\""));
        assertThat(exits(2, merge(List.of(odd.toString()))).err()).contains("has 'x' where a number belongs");
        assertThat(exits(2, merge(List.of(demo.toString()))).err()).contains("parts of 'demo' are not known");
        assertThat(exits(2, merge(List.of(text.toString()))).err()).contains("text:1: not what a part prints");
        assertThat(exits(2, merge(List.of(directory.resolve("none").toString())))
                        .err())
                .contains("none cannot be read");
        assertThat(exits(2, Invocation.of("explore", "--shard", "3/2")).err()).contains("3/2 is not of the form I/N");
    }

    @Test
    void indexedJobSaysWhichPart() {
        assertThat(Shard.of(null, Map.of(Shard.INDEX, "3"))).isNull();
        assertThat(Shard.of(null, Map.of(Shard.INDEX, "0", Shard.COUNT, "8"))).isEqualTo(new Shard(1, 8));
        assertThat(Shard.of("2/3", Map.of(Shard.INDEX, "0", Shard.COUNT, "8"))).isEqualTo(new Shard(2, 3));
        assertThatThrownBy(() -> Shard.of(null, Map.of(Shard.COUNT, "8"))).hasMessageContaining(Shard.INDEX);
        assertThatThrownBy(() -> Shard.of(null, Map.of(Shard.INDEX, "8", Shard.COUNT, "8")))
                .hasMessageContaining("9/8");
        assertThat(List.of(new Shard(1, 3).share(7), new Shard(2, 3).share(7), new Shard(3, 3).share(2)))
                .containsExactly(3L, 2L, 0L);
    }

    private List<String> parts(int count, String... words) throws IOException {
        return parts(count, 0, words);
    }

    /** Of which those that have the second of the units exit with that code. */
    private List<String> parts(int count, int ofTheSecond, String... words) throws IOException {
        List<String> files = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            List<String> part = new ArrayList<>(List.of(words));
            part.addAll(List.of("--shard", number + "/" + count));
            Path file = Files.createTempFile(directory, "part", ".jsonl");
            Files.writeString(
                    file,
                    exits(number == 2 ? ofTheSecond : 0, Invocation.of(part.toArray(String[]::new)))
                            .out());
            files.add(file.toString());
        }
        return files;
    }

    private static Invocation merge(List<String> files) {
        List<String> words = new ArrayList<>(List.of("merge", "--json"));
        words.addAll(files);
        return Invocation.of(words.toArray(String[]::new));
    }

    private static String merged(List<String> files) {
        return exits(0, merge(files)).out();
    }

    private static Invocation exits(int exitCode, Invocation invocation) {
        assertThat(invocation.exitCode()).as(invocation.err()).isEqualTo(exitCode);
        return invocation;
    }

    private static String withoutTimes(String lines) {
        return lines.replaceAll("\"(seconds|timeNanos)\":[0-9.E-]+", "\"$1\":0");
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The recipes for GitHub Actions in docs/many-machines.md: the shell of their steps, as the jobs of a matrix would run it. */
@DisabledOnOs(OS.WINDOWS)
@LongTest
class ActionsRecipesTest {

    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    /** What the recipes run, and what is enough here. */
    private static final String MANY = "--programs 100000";

    private static final String FEW = "--programs 6";

    @TempDir
    private Path directory;

    private Path results;

    /** Seeds that {@code verbatim} says of that they failed. */
    private Path failing;

    @BeforeEach
    void install() throws IOException {
        results = Files.createDirectory(directory.resolve("results"));
        failing = Files.createFile(directory.resolve("failing"));
        Path bin = Files.createDirectory(directory.resolve("bin"));
        Path verbatim = bin.resolve("verbatim");
        Files.writeString(
                verbatim,
                "#!/bin/sh\n'" + System.getProperty("java.home") + "/bin/java' -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path") + "' " + Main.class.getName()
                        + " \"$@\" || exit\nfor seed in $(cat '" + failing
                        + "'); do case \"$*\" in *\"--seed $seed \"*) exit 1 ;; esac; done\n");
        Files.setPosixFilePermissions(verbatim, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Map<?, ?> recipe(int number) throws IOException {
        List<String> blocks = YAML.matcher(Files.readString(PROJECT.resolve("docs/many-machines.md")))
                .results()
                .map(found -> found.group(1))
                .toList();
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(blocks.get(number));
    }

    private static Map<?, ?> job(Map<?, ?> recipe, String name) {
        return (Map<?, ?>) ((Map<?, ?>) recipe.get("jobs")).get(name);
    }

    /** The shell of the only step of the job that runs one. */
    private static String script(Map<?, ?> job) {
        List<String> scripts = ((List<?>) job.get("steps"))
                .stream()
                        .map(step -> ((Map<?, ?>) step).get("run"))
                        .filter(String.class::isInstance)
                        .map(run -> ((String) run).replace(MANY, FEW))
                        .toList();
        assertThat(scripts).hasSize(1);
        return scripts.get(0);
    }

    private Process start(Path in, String script, String... environment) throws IOException {
        ProcessBuilder shell = new ProcessBuilder("bash", "-e", "-c", script)
                .directory(in.toFile())
                .redirectErrorStream(true);
        Map<String, String> variables = shell.environment();
        variables.merge("PATH", directory.resolve("bin").toString(), (path, first) -> first + ":" + path);
        for (int i = 0; i < environment.length; i += 2) {
            variables.put(environment[i], environment[i + 1]);
        }
        return shell.start();
    }

    private static String ended(Process process, int exitCode) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(exitCode);
        return output;
    }

    @Test
    void partsOfAMatrixMergeIntoWhatOneProcessPrints() throws IOException, InterruptedException {
        Map<?, ?> recipe = recipe(0);
        Map<?, ?> part = job(recipe, "part");
        Map<?, ?> strategy = (Map<?, ?>) part.get("strategy");
        List<?> shards = (List<?>) ((Map<?, ?>) strategy.get("matrix")).get("shard");
        assertThat(shards).isEqualTo(IntStream.rangeClosed(1, 4).boxed().toList());
        String script = script(part).replace("${{ github.run_number }}", "7").replace("/4 ", "/3 ");

        List<Process> parts = new ArrayList<>();
        for (int shard = 1; shard <= 3; shard++) {
            parts.add(start(results, script.replace("${{ matrix.shard }}", String.valueOf(shard))));
        }
        for (Process each : parts) {
            ended(each, 0);
        }

        assertThat(withoutTimes(ended(start(results, script(job(recipe, "all"))), 0)))
                .isEqualTo(withoutTimes(ended(start(directory, "verbatim explore " + FEW + " --seed 7"), 0)));
    }

    private static String withoutTimes(String text) {
        return text.replaceAll(" in [0-9.]+ s \\([^)]*\\)", "");
    }

    private String git(String words, Path in) throws IOException, InterruptedException {
        return ended(start(in, "git " + words), 0).strip();
    }

    /** One night: what was picked, carried out, and noted. */
    private String night(Path repository, String revision, String ended) throws IOException, InterruptedException {
        Map<?, ?> recipe = recipe(1);
        Path output = directory.resolve("output");
        Files.deleteIfExists(output);
        ended(
                start(
                        repository,
                        script(job(recipe, "pick")),
                        "GITHUB_SHA",
                        revision,
                        "GITHUB_OUTPUT",
                        output.toString()),
                0);
        String seeds = Files.readString(output).strip();
        assertThat(seeds).matches("seeds=\\[[0-9,]+\\]");
        List<String> picked = List.of(seeds.replaceAll("[^0-9,]", "").split(","));

        Path uploaded = repository.resolve("results");
        Files.createDirectories(uploaded);
        List<Process> parts = new ArrayList<>();
        for (String seed : picked) {
            parts.add(start(uploaded, script(job(recipe, "part")).replace("${{ matrix.seed }}", seed)));
        }
        for (int i = 0; i < parts.size(); i++) {
            boolean fails = Files.readString(failing).lines().anyMatch(picked.get(i)::equals);
            ended(parts.get(i), fails ? 1 : 0);
        }
        Files.deleteIfExists(uploaded.resolve(ended + ".exit")); // a part that was ended uploads no exit code

        ended(
                start(
                        repository,
                        script(job(recipe, "note")),
                        "GITHUB_SHA",
                        revision,
                        "GIT_AUTHOR_NAME",
                        "a",
                        "GIT_AUTHOR_EMAIL",
                        "a@localhost",
                        "GIT_COMMITTER_NAME",
                        "a",
                        "GIT_COMMITTER_EMAIL",
                        "a@localhost"),
                0);
        return seeds;
    }

    private Path cloned(Path origin, String name) throws IOException, InterruptedException {
        Path repository = directory.resolve(name);
        git("clone -q " + origin + " " + repository, directory);
        Path cluster = Files.createDirectories(repository.resolve("cluster"));
        Files.copy(PROJECT.resolve("cluster/seeds"), cluster.resolve("seeds"));
        Files.setPosixFilePermissions(cluster.resolve("seeds"), PosixFilePermissions.fromString("rwxr-xr-x"));
        return repository;
    }

    @Test
    void ledgerPicksWhatFailedFirstAndThenWhatNobodyRan() throws IOException, InterruptedException {
        Path origin = directory.resolve("origin.git");
        git("init -q --bare " + origin, directory);

        Files.writeString(failing, "2\n");
        assertThat(night(cloned(origin, "first"), "aaa", "3")).isEqualTo("seeds=[1,2,3]");
        assertThat(night(cloned(origin, "second"), "bbb", "none")).isEqualTo("seeds=[2,3,4]");
        Files.writeString(failing, "");
        assertThat(night(cloned(origin, "third"), "ccc", "none")).isEqualTo("seeds=[2,5,6]");
        Path last = cloned(origin, "fourth");
        assertThat(night(last, "ddd", "none")).isEqualTo("seeds=[7,8,9]");

        assertThat(git("show origin/ledger:seeds.jsonl", last).lines())
                .hasSize(11)
                .contains(
                        "{\"seed\":2,\"revision\":\"bbb\",\"failed\":true,\"command\":\"explore " + FEW
                                + " --seed 2\"}",
                        "{\"seed\":2,\"revision\":\"ccc\",\"failed\":false,\"command\":\"explore " + FEW
                                + " --seed 2\"}");
    }

    @Test
    void fullLedgerKeepsWhatFailed() throws IOException, InterruptedException {
        Path file = Files.createFile(directory.resolve("seeds.jsonl"));
        String seeds = "'" + PROJECT.resolve("cluster/seeds") + "' ";
        String add = seeds + "add seeds.jsonl r ";
        ended(
                start(
                        directory,
                        add + "1 1 x && " + add + "2 0 x && " + add + "3 0 x && " + add + "4 0 x",
                        "SEEDS_MOST",
                        "2"),
                0);
        assertThat(Files.readAllLines(file))
                .extracting(line -> line.replaceAll(",\"rev.*", ""))
                .containsExactly("{\"seed\":4", "{\"seed\":3", "{\"seed\":1");
        assertThat(ended(start(directory, seeds + "next seeds.jsonl s 2"), 0)).isEqualTo("[1,5]\n");
        assertThat(ended(start(directory, seeds + "next seeds.jsonl r 2"), 0)).isEqualTo("[5,6]\n");
    }

    @Test
    void ledgerRefusesWhatIsNoResult() throws IOException, InterruptedException {
        Files.createFile(directory.resolve("seeds.jsonl"));
        String seeds = "'" + PROJECT.resolve("cluster/seeds") + "' ";
        assertThat(ended(start(directory, seeds + "add seeds.jsonl r 1 137 x"), 2))
                .isEqualTo("seeds: exit code '137' of seed 1 is no result: it is picked again\n");
        assertThat(ended(start(directory, seeds + "add seeds.jsonl r one 0 x"), 2))
                .contains("SEED 'one' is no number");
        assertThat(ended(start(directory, seeds + "next seeds.jsonl r"), 2)).contains("usage: seeds next FILE");
        assertThat(ended(start(directory, seeds), 2)).contains("usage: seeds pull|next|add|push");
        assertThat(Files.size(directory.resolve("seeds.jsonl"))).isZero();
    }

    /** A push of who did not see what another process noted meanwhile is refused, so that nothing is lost. */
    @Test
    void pushBehindAnotherIsRefused() throws IOException, InterruptedException {
        Path origin = directory.resolve("origin.git");
        git("init -q --bare " + origin, directory);
        String who =
                "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@localhost GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@localhost; ";
        String note = who + "cluster/seeds add seeds.jsonl r 1 1 x && cluster/seeds push seeds.jsonl";
        Path one = cloned(origin, "one");
        Path two = cloned(origin, "two");
        ended(start(one, "cluster/seeds pull seeds.jsonl"), 0);
        ended(start(two, "cluster/seeds pull seeds.jsonl"), 0);
        ended(start(one, note.replace("r 1 1", "r 5 1")), 0);
        assertThat(start(two, note).waitFor()).isNotZero();
        assertThat(git("--git-dir=" + origin + " show ledger:seeds.jsonl", directory))
                .contains("\"seed\":5");
    }
}

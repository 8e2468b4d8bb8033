// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.farm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On clusters of this machine: executors in JVMs of their own, or threads where it does not matter. */
class SparkFarmTest {

    private static final String[] EXPLORE = {"explore", "--programs", "60", "--seed", "7", "--json"};

    @TempDir
    private Path directory;

    private record Ran(int exitCode, String out, String err) {}

    @BeforeAll
    static void makeHome() throws IOException {
        Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
    }

    private static SparkConf on(String master) {
        return new SparkConf()
                .setMaster(master)
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"));
    }

    private static Ran run(SparkConf conf, StringWriter err, String... words) {
        StringWriter out = new StringWriter();
        int exitCode = SparkFarm.commandLine(conf)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
        return new Ran(exitCode, out.toString(), err.toString());
    }

    private static Ran run(String... words) {
        return run(on("local[2]"), new StringWriter(), words);
    }

    private static String ofOneProcess() {
        StringWriter out = new StringWriter();
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(new StringWriter()), EXPLORE))
                .isZero();
        return withoutTimes(out.toString());
    }

    private static String withoutTimes(String lines) {
        return lines.replaceAll("\"seconds\":[0-9.E-]+", "");
    }

    private String results() {
        return directory.resolve("results.jsonl").toString();
    }

    private String[] words() {
        return new String[] {
            "--json", "--parts=12", "--results=" + results(), "explore", "--programs", "60", "--seed", "7"
        };
    }

    @Test
    void executorThatIsKilledLosesNothing() {
        AtomicBoolean isKilled = new AtomicBoolean();
        StringWriter err = new StringWriter() {
            @Override
            public void flush() {
                if (toString().contains("are done") && isKilled.compareAndSet(false, true)) {
                    ProcessHandle.current().descendants().findFirst().ifPresent(ProcessHandle::destroyForcibly);
                }
            }
        };

        Ran ran = run(on("local-cluster[2,1,1024]"), err, words());

        assertThat(isKilled).isTrue();
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(withoutTimes(ran.out())).isEqualTo(ofOneProcess());
    }

    /** The driver was ended while it wrote the third part. */
    @Test
    void driverGoesOnWithTheResultsThatAreThere() throws IOException {
        run(words());
        String whole = Files.readString(Path.of(results()));
        int third = whole.indexOf(
                "\"kind\":\"shard\"", whole.indexOf("\"kind\":\"shard\"", whole.indexOf("\"kind\":\"shard\"") + 1) + 1);
        Files.writeString(Path.of(results()), whole.substring(0, third + 80));

        Ran ran = run(words());

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.err().lines().filter(line -> line.startsWith("part "))).hasSize(10);
        assertThat(withoutTimes(ran.out())).isEqualTo(ofOneProcess());
    }

    @Test
    void resultsOfAnotherJobAreRefused() {
        run(words());

        Ran ran = run("--parts=12", "--results=" + results(), "explore", "--programs", "61", "--seed", "7");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("results of another job", "programs=60", "programs=61", "name another file");
    }

    @Test
    void scalingIsSaidFromMeasuredTimes() {
        Ran ran = run("--parts=2", "--scaling", "--results=" + results(), "explore", "--programs", "2", "--seed", "7");

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out())
                .containsPattern("80000 parts of [0-9.]+ s, .* 2 cores a machine")
                .contains("   10000 ");
    }

    @Test
    void wrongWordsAreRefusedInOneLine() {
        assertThat(run("--results=" + results(), "soak").err()).startsWith("'soak' is not divided into parts");
        assertThat(run("--results=" + results(), "explore", "--shard=1/2").err())
                .startsWith("--shard=1/2 of the command");
        Ran ran = run("--parts=2", "--results=" + results(), "explore", "--programs=none");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("none");
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.LongTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher, with a Maven and Javas that only note what they are asked for. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "its launcher is verbatim.cmd")
class LauncherTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    /** Where the launcher looks for changed sources. */
    private static final List<String> MODULES = List.of(
            ".",
            "emulator-core",
            "bindings/networkdirect",
            "transport-netty",
            "conformance",
            "lab/interop",
            "lab/bench",
            "cli");

    /** Makes a jar that has the number of the build. */
    private static final String MAVEN = """
            #!/bin/sh
            echo build >>builds
            for option in "$@"; do
                case $option in -Dlauncher.lib=*) lib=${option#*=} ;; esac
            done
            [ ! -f broken ] || exit 1
            mkdir -p "$lib"
            wc -l <builds | tr -d ' ' >"$lib/cli.jar"
            """;

    /** Tells its directory of jars and what is in it, at once and again behind each line of input. */
    private static final String JAVA = """
            #!/bin/sh
            case $* in *-XshowSettings*)
                echo "    java.home = $(dirname "$(dirname "$0")")"
                echo '    java.specification.version = 17'
                exit 0
                ;;
            esac
            for option in "$@"; do
                case $option in
                    -XX:DumpLoadedClassList=*) exec touch "${option#*=}" ;;
                    -XX:SharedArchiveFile=*) archive=${option#*=} ;;
                esac
            done
            case $* in
                *-Xshare:dump*) exec touch "$archive" ;;
                *JvmOptions*) exec cat "${0%/*}/../../rows" ;;
            esac
            echo "$*" >"$0.options"
            while [ "$1" != -cp ]; do shift; done
            jars=${2%%:*}
            jars=${jars%/*}
            tell() {
                echo "$0 build $(cat "$jars/cli.jar" 2>/dev/null || echo gone)"
            }
            tell
            while read -r line; do tell; done
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void aProject() throws IOException {
        Files.copy(PROJECT.resolve("verbatim"), folder.resolve("verbatim"));
        for (String module : MODULES) {
            Files.createDirectories(folder.resolve(module).resolve("src/main"));
            Files.createFile(folder.resolve(module).resolve("pom.xml"));
        }
        Files.write(folder.resolve("rows"), JvmOptions.rows());
        script("mvnw", MAVEN);
        java("one");
        java("other");
    }

    private void java(String name) throws IOException {
        Files.createDirectories(folder.resolve(name).resolve("bin"));
        script(name + "/bin/java", JAVA);
        script(name + "/bin/javac", "");
    }

    private void script(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** A command under way. */
    private final class Launched implements AutoCloseable {

        private final Process process;
        private final BufferedReader out;

        Launched(String java, String... arguments) throws IOException {
            this(folder, java, arguments);
        }

        Launched(Path project, String java, String... arguments) throws IOException {
            List<String> command =
                    new ArrayList<>(List.of("sh", project.resolve("verbatim").toString()));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectError(folder.resolve("err").toFile());
            builder.environment().put("JAVA_HOME", folder.resolve(java).toString());
            process = builder.start();
            out = process.inputReader();
        }

        /** What it tells of itself now. */
        String asked() throws IOException {
            process.outputWriter().write("\n");
            process.outputWriter().flush();
            return out.readLine();
        }

        String told() throws IOException {
            return out.readLine();
        }

        int ends() throws IOException, InterruptedException {
            process.outputWriter().close();
            return process.waitFor();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private String run(String java) throws IOException, InterruptedException {
        try (Launched launched = new Launched(java)) {
            String told = launched.told();
            assertThat(launched.ends()).as(() -> err()).isZero();
            return told;
        }
    }

    private String err() {
        try {
            return Files.readString(folder.resolve("err"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String told(String java, int build) {
        return folder.resolve(java).resolve("bin/java") + " build " + build;
    }

    private void touchSources() throws IOException {
        // What is there was built long ago, so that all sources are newer.
        Files.setLastModifiedTime(folder.resolve("cli/target/launcher.built"), FileTime.fromMillis(0));
    }

    @Test
    void whatIsBuiltIsUsedUntilASourceIsTouched() throws Exception {
        assertThat(run("one")).isEqualTo(told("one", 1));
        assertThat(run("one")).isEqualTo(told("one", 1));
        assertThat(err()).isEmpty();

        touchSources();
        assertThat(run("one")).isEqualTo(told("one", 2));
        assertThat(err()).startsWith("verbatim: sources changed, building again");
    }

    @Test
    void shortWorkIsNotCompiledTwice() throws Exception {
        assertThat(isCompiledOnce("litmus")).isTrue();
        assertThat(isCompiledOnce("litmus", "LT-02", "--seconds=60", "--executions", "90"))
                .isTrue();
        assertThat(isCompiledOnce("litmus", "--seconds=61", "LT-02")).isFalse();
        assertThat(isCompiledOnce("litmus", "--seconds", "3600", "LT-02")).isFalse();
        assertThat(isCompiledOnce("run")).isFalse();
        assertThat(isCompiledOnce("explore")).isTrue();
        assertThat(isCompiledOnce("explore", "--programs", "20000", "--seed", "30000"))
                .isTrue();
        assertThat(isCompiledOnce("explore", "--programs", "20001")).isFalse();
        assertThat(isCompiledOnce("explore", "--seed", "3", "--programs=20001")).isFalse();
    }

    @Test
    void numberOfProgramsThatIsNoneIsNotShort() throws Exception {
        assertThat(isCompiledOnce("explore", "--programs", "many")).isFalse();
        assertThat(isCompiledOnce("explore", "--programs=")).isFalse();
        assertThat(isCompiledOnce("explore", "--programs")).isFalse();
    }

    @Test
    void wordThatStandsForNoOptionInARowIsAnyWord() throws Exception {
        assertThat(isCompiledOnce("rules", "-", "x")).isTrue();
        assertThat(isCompiledOnce()).isTrue();
        assertThat(isCompiledOnce("--help")).isTrue();
        assertThat(isCompiledOnce("litmu")).isFalse();
    }

    /** cmd expands a block before it decides whether to run it: a parenthesis in an argument or a path would end it. */
    @Test
    void launcherForWindowsHasNoArgumentsAndNoPathsInABlock() throws IOException {
        int depth = 0;
        for (String line : Files.readAllLines(PROJECT.resolve("lab/dist/verbatim.cmd"))) {
            boolean opens = line.matches("(if|for) .*\\(.*") && !line.contains("in (");
            if (depth > 0 || opens) {
                assertThat(line).doesNotContain("%*", "%~1", "%JAVA%", "%LOG%", "%ROOT%");
            }
            depth += opens && line.endsWith("(") ? 1 : 0;
            depth -= line.startsWith(")") ? 1 : 0;
        }
        assertThat(depth).isZero();
    }

    private boolean isCompiledOnce(String... command) throws Exception {
        try (Launched launched = new Launched("one", command)) {
            launched.told();
            assertThat(launched.ends()).isZero();
        }
        return List.of(Files.readString(folder.resolve("one/bin/java.options")).split(" ", -1))
                .contains("-XX:TieredStopAtLevel=1");
    }

    @Test
    void anotherJavaRunsWhatOneBuilt() throws Exception {
        assertThat(run("one")).isEqualTo(told("one", 1));
        assertThat(run("other")).isEqualTo(told("other", 1));
        assertThat(run("one")).isEqualTo(told("one", 1));
    }

    @Test
    void whatIsBuiltMayBeMoved() throws Exception {
        assertThat(run("one")).isEqualTo(told("one", 1));
        Path moved = Files.createDirectory(folder.resolve("moved"));
        for (String entry : MODULES) {
            String first = entry.equals(".") ? "verbatim" : entry.split("/", -1)[0];
            if (Files.exists(folder.resolve(first))) {
                Files.move(folder.resolve(first), moved.resolve(first));
            }
        }
        Files.move(folder.resolve("pom.xml"), moved.resolve("pom.xml"));

        try (Launched launched = new Launched(moved, "one")) {
            assertThat(launched.told()).isEqualTo(told("one", 1));
        }
        assertThat(Files.readString(folder.resolve("one/bin/java.options")))
                .contains("-cp " + moved.resolve("cli/target/launcher/cli.jar"));
    }

    @Test
    @LongTest
    void twoThatStartAtOnceBuildOnce() throws Exception {
        List<Launched> both = List.of(new Launched("one"), new Launched("other"));
        try (Launched one = both.get(0);
                Launched other = both.get(1)) {
            assertThat(one.told()).isEqualTo(told("one", 1));
            assertThat(other.told()).isEqualTo(told("other", 1));
        }
    }

    @Test
    void lockOfALauncherThatWasKilledIsTaken() throws Exception {
        Files.createDirectories(folder.resolve("cli/target/launcher.lock"));
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Files.writeString(folder.resolve("cli/target/launcher.lock/pid"), ended.pid() + "\n");
        assertThat(run("one")).isEqualTo(told("one", 1));
        assertThat(folder.resolve("cli/target/launcher.lock")).doesNotExist();
    }

    @Test
    void buildThatFailsLeavesWhatIsThereAsItIs() throws Exception {
        try (Launched running = new Launched("one")) {
            assertThat(running.told()).isEqualTo(told("one", 1));
            touchSources();
            Files.createFile(folder.resolve("broken"));
            try (Launched failing = new Launched("one")) {
                assertThat(failing.ends()).isEqualTo(1);
            }
            assertThat(err()).contains("verbatim: the build failed; see ");
            assertThat(running.asked()).isEqualTo(told("one", 1));
        }
        Files.delete(folder.resolve("broken"));
        assertThat(run("one")).isEqualTo(told("one", 3));
    }

    /** The cache of classes is one of the Java that built. */
    @Test
    void onlyTheJavaThatBuiltUsesItsCache() throws Exception {
        run("one");
        run("other");
        assertThat(Files.readString(folder.resolve("one/bin/java.options"))).contains("-XX:SharedArchiveFile=");
        assertThat(Files.readString(folder.resolve("other/bin/java.options"))).doesNotContain("-XX:SharedArchiveFile=");
    }
}

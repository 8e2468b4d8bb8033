// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.cli.output.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Tag("smoke")
class MainTest {

    /** Commands that print nothing of their own, by reason. */
    private static final Map<String, String> WITHOUT_OUTPUT = Map.of(
            "exec", "becomes the program, whose output is the program's; here is only the sentence where to find it",
            "roce", "is a group of programs of a peer, whose lines people compare");

    static Stream<String> commands() {
        return Main.commandLine().getSubcommands().keySet().stream();
    }

    @Test
    void helpGoesToStandardOutputAndSucceeds() {
        assertThat(Invocation.of("--help").succeeded().out())
                .startsWith("Usage: verbatim")
                .contains("Exit codes:");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasItsOwnHelp(String command) {
        assertThat(Invocation.of(command, "--help").succeeded().out())
                .startsWith("Usage: verbatim " + command)
                .contains("Exit codes:")
                .contains(isOnlyAGroup(command) ? "Commands:" : "--json");
        assertThat(Invocation.of(command, "-h").succeeded().out()).startsWith("Usage: verbatim " + command);
    }

    /** The others are left out, since reading their options takes time. */
    @ParameterizedTest
    @MethodSource("commands")
    void commandThatIsNamedIsTheSameAlone(String command) {
        CommandLine alone = Main.commandLine(command, "--json");
        assertThat(alone.getSubcommands()).containsOnlyKeys(command);
        assertThat(alone.getSubcommands().get(command).getUsageMessage())
                .isEqualTo(Main.commandLine().getSubcommands().get(command).getUsageMessage());
    }

    /** So that each prints records by it, in the form that is asked for. */
    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasTheOneOutput(String command) {
        CommandLine line = Main.commandLine().getSubcommands().get(command);
        if (!WITHOUT_OUTPUT.containsKey(command)) {
            assertThat(line.getMixins().values())
                    .as("mixins of " + command + ": @Mixin private Output output, which has --json")
                    .hasAtLeastOneElementOfType(Output.class);
        }
        assertThat(line.getCommandSpec().findOption(Output.OPTION) != null)
                .isEqualTo(!WITHOUT_OUTPUT.containsKey(command));
    }

    private static boolean isOnlyAGroup(String command) {
        return !Main.commandLine()
                .getSubcommands()
                .get(command)
                .getSubcommands()
                .isEmpty();
    }

    @Test
    void helpListsEveryCommand() {
        String help = Invocation.of("--help").out();
        assertThat(commands())
                .contains("demo", "litmus", "exec", "bench")
                .allSatisfy(command -> assertThat(help).contains("\n  " + command + " "));
    }

    /** The calls are made in each form of the distribution, by lab/dist/check. */
    @Test
    void everyCommandIsCalledInTheDistribution() throws IOException {
        String calls = Files.readString(
                Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../lab/dist/commands"));
        assertThat(commands())
                .allSatisfy(command -> assertThat(calls)
                        .as("lab/dist/commands, which has a call of each command")
                        .contains("\ntry_" + command + "() {"));
    }

    @Test
    void versionIsTheOneOfTheBuild() {
        assertThat(Invocation.of("--version").succeeded().out())
                .matches("(?s)verbatim \\d+\\.\\d+\\.\\d+.*Java \\d+.*");
    }

    @Test
    void unknownOptionIsExplainedInOneLineAndExitsWithTwo() {
        Invocation.of("--frobnicate").failed(2, "Unknown option: '--frobnicate'", "see verbatim --help");
    }

    @Test
    void misspeltOptionOfACommandIsAnsweredWithTheRightOne() {
        Invocation.of("demo", "--jsn").failed(2, "'--jsn'", "did you mean --json?", "see verbatim demo --help");
    }

    @Test
    void misspeltCommandIsAnsweredWithTheRightOne() {
        Invocation.of("rulez").failed(2, "'rulez'", "did you mean rules", "see verbatim --help");
    }

    @Test
    void noCommandNamesTheCommandsAndExitsWithTwo() {
        Invocation.of().failed(2, "Missing command", commands().collect(Collectors.joining(", ")));
    }

    @ParameterizedTest
    @CsvSource({
        "run --json nothing, 2, nothing is neither",
        "run nothing --json, 2, nothing is neither",
        "demo --json --fabric pigeon, 2, --fabric=pigeon",
        "rules --json --home ., 1, --home=.",
        "litmus --json --seconds 0 LT-01, 2, --seconds=0",
        "explore --json --shard 4/3, 2, --shard=4/3",
        "soak --json --threads 0, 2, --threads=0",
        "bench --json --rounds -1, 2, --rounds=-1",
        "serve --json --port 70000, 2, --port=70000",
        "studio --json --port 70000, 2, --port=70000",
        "stat --json 127.0.0.1, 2, neither a process id nor HOST:PORT",
        "connect --json, 2, Missing required parameter",
        "--json, 2, Unknown option"
    })
    void errorsAreJsonForPrograms(String line, int exitCode, String words) throws IOException {
        Invocation failed = Invocation.of(line.split(" "));

        assertThat(failed.exitCode()).isEqualTo(exitCode);
        assertThat(failed.out()).isEmpty();
        assertThat(failed.err().lines()).hasSize(1);
        assertThat(JSON.std.mapFrom(failed.err()))
                .containsEntry("kind", "error")
                .extractingByKey("text")
                .asString()
                .contains(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first\nsecond", "first\r\n\tsecond"})
    void failureThatNobodyForesawSaysInOneLineWhereItCameFrom(String message) {
        @Command(name = "verbatim")
        class Defective implements Runnable {
            @Override
            public void run() {
                throw new IllegalStateException(message);
            }
        }
        OneLineErrors errors = new OneLineErrors();
        Invocation.on(new CommandLine(new Defective()).setExecutionExceptionHandler(errors))
                .failed(1, "defect: ", "IllegalStateException: first second at ", "MainTest.java:", "please report it");
    }
}

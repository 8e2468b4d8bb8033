// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.StatusLine;
import dev.verbatim.conformance.scenario.BadScenario;
import dev.verbatim.conformance.scenario.FileReason;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedScenarios;
import dev.verbatim.conformance.scenario.form.NearestWord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The scenarios that a command line names. */
final class ScenarioArguments {

    /** Of a directory, so many files and directories in and below it are looked at. */
    private static final int MOST_ENTRIES = 100_000;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = {
                "Scenario files, or directories: all *.yaml files in and below a directory.",
                "LT-01, TR-6 and the like name shipped scenarios; case does not matter."
            })
    private List<String> names = List.of();

    /** What the command line says. */
    List<String> names() {
        return names;
    }

    private boolean anyIsBad;

    /** That of a command which has ended: one of {@link #read} may be no scenario, which makes the command line invalid. */
    int exitCode(boolean othersAreGood) {
        if (!othersAreGood) {
            return ExitCode.SOFTWARE;
        }
        return anyIsBad ? ExitCode.USAGE : ExitCode.OK;
    }

    /**
     * All that are scenarios; what is wrong with others is printed on standard error.
     *
     * @param output where that is said
     */
    List<ScenarioFile> read(CommandSpec spec, Output output) {
        StatusLine status = output.status();
        List<ScenarioFile> files = new ArrayList<>();
        for (String name : names) {
            ScenarioFile shipped = Files.exists(Path.of(name)) ? null : ShippedScenarios.find(name);
            if (shipped != null) {
                files.add(shipped);
                continue;
            }
            for (Path file : expand(spec, Path.of(name))) {
                status.tell(() -> files.size() + " scenarios read, next is " + file);
                try {
                    files.add(ScenarioReader.read(file));
                } catch (BadScenario e) {
                    anyIsBad = true;
                    status.erase();
                    e.getMessage().lines().forEach(output::error);
                }
            }
        }
        status.erase();
        return files;
    }

    private static List<Path> expand(CommandSpec spec, Path path) {
        if (!Files.isDirectory(path)) {
            if (!Files.exists(path)) {
                throw new ParameterException(
                        spec.commandLine(),
                        path + " is neither a file nor the name of a shipped scenario; "
                                + NearestWord.advice(
                                        path.toString(), ShippedScenarios.names(), "see docs/scenarios.md"));
            }
            return List.of(path);
        }
        List<Path> files = below(path, MOST_ENTRIES);
        if (files.isEmpty()) {
            throw new ParameterException(spec.commandLine(), path + " contains no *.yaml files");
        }
        return files;
    }

    /**
     * The *.yaml files in and below a directory, sorted.
     *
     * @param most files and directories that are looked at
     * @throws CommandFailure if there are more, or one cannot be listed
     */
    static List<Path> below(Path directory, int most) {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> below = Files.walk(directory)) {
            int entries = 0;
            for (Path entry : (Iterable<Path>) below::iterator) {
                if (++entries > most) {
                    throw new CommandFailure(directory + " has more than " + most
                            + " files and directories in and below it; name the directories that hold the scenarios");
                }
                if (entry.toString().endsWith(".yaml")) {
                    files.add(entry);
                }
            }
        } catch (IOException e) {
            throw cannotList(directory, e);
        } catch (UncheckedIOException e) {
            throw cannotList(directory, Objects.requireNonNull(e.getCause()));
        }
        files.sort(null);
        return files;
    }

    private static CommandFailure cannotList(Path directory, IOException e) {
        return new CommandFailure("cannot list " + directory + ": " + FileReason.of(e) + "; name the files one by one");
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.conformance.scenario.BadScenario;
import dev.verbatim.conformance.scenario.FileReason;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedScenarios;
import dev.verbatim.conformance.scenario.form.NearestWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The scenarios that a command line names. */
final class ScenarioArguments {

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

    /**
     * All of them; what is wrong with any is printed on standard error, and the list is empty then.
     *
     * @param json whether that is for programs
     */
    List<ScenarioFile> read(CommandSpec spec, boolean json) {
        StandardError errors = new StandardError(spec.commandLine(), json);
        List<ScenarioFile> files = new ArrayList<>();
        boolean good = true;
        for (String name : names) {
            ScenarioFile shipped = Files.exists(Path.of(name)) ? null : ShippedScenarios.find(name);
            if (shipped != null) {
                files.add(shipped);
                continue;
            }
            for (Path file : expand(spec, Path.of(name))) {
                try {
                    files.add(ScenarioReader.read(file));
                } catch (BadScenario e) {
                    good = false;
                    e.getMessage().lines().forEach(errors::error);
                }
            }
        }
        return good ? files : List.of();
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
        try (Stream<Path> below = Files.walk(path)) {
            List<Path> files = below.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
            if (files.isEmpty()) {
                throw new ParameterException(spec.commandLine(), path + " contains no *.yaml files");
            }
            return files;
        } catch (IOException e) {
            throw new CommandFailure("cannot list " + path + ": " + FileReason.of(e) + "; name the files one by one");
        }
    }
}

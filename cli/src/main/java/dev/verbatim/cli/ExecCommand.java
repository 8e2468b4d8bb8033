// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Stands for the command that the launcher gives to the module {@code ibverbs}, which needs a newer Java than the others. */
@Command(
        name = "exec",
        description = "Run an unmodified C program on an emulated device (Linux, Java 22 or newer).",
        mixinStandardHelpOptions = true)
final class ExecCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "PROGRAM [ARGS]",
            arity = "0..*",
            description =
                    "The launcher lists the options, such as --print-env and --json: 'verbatim exec --help' where it is.")
    private List<String> words = List.of();

    private ExecCommand() {}

    @Override
    public Integer call() {
        throw new CommandFailure(
                "this jar has no library for C programs: take the archive for Linux, or the source tree with"
                        + " Java 22 or newer, and run 'verbatim exec -- " + (words.isEmpty() ? "PROGRAM" : words.get(0))
                        + "' there");
    }
}

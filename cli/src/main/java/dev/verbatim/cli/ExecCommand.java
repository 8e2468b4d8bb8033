// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

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
            description = "The launcher './verbatim exec --help' lists the options, such as --print-env and --json.")
    private List<String> words = List.of();

    private ExecCommand() {}

    @Override
    public Integer call() {
        throw new CommandFailure("exec is run by the launcher './verbatim' of Linux, with Java 22 or newer"
                + (words.isEmpty() ? "" : ": ./verbatim exec -- " + words.get(0)));
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Output;
import dev.verbatim.fabric.StaleChoicesException;
import dev.verbatim.interop.InteropException;
import dev.verbatim.verbs.VerbsException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what went wrong in one line on standard error, which is JSON if the command was asked for that. */
final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

    @Override
    public int handleParseException(ParameterException mistake, String[] args) {
        CommandLine command = mistake.getCommandLine();
        String line = mistake.getMessage();
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            List<String> similar = unmatched.getSuggestions();
            line += similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?";
        }
        print(command, List.of(args), line + "; see " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        print(command, parsed.originalArgs(), describe(failure));
        return ExitCode.SOFTWARE;
    }

    /** What a failure says of itself; of one that nobody foresaw, where it came from. */
    static String describe(Exception failure) {
        if (failure instanceof VerbsException
                || failure instanceof CommandFailure
                || failure instanceof InteropException
                || failure instanceof StaleChoicesException) {
            return String.valueOf(failure.getMessage());
        }
        StackTraceElement[] trace = failure.getStackTrace();
        return "defect: " + failure + (trace.length == 0 ? "" : " at " + trace[0])
                + "; please report it with the command line";
    }

    private static void print(CommandLine command, List<String> args, String message) {
        new Output(command.getOut(), command.getErr(), args.contains(Output.OPTION)).error(message);
    }
}

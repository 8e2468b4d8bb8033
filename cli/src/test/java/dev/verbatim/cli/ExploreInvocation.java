// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** Calls the command {@code explore}; says how it ended in values that every class loader knows. */
public final class ExploreInvocation {

    private ExploreInvocation() {}

    /** Exit code, standard output, standard error. */
    public static List<Object> call(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        OneLineErrors errors = new OneLineErrors();
        int code = new CommandLine(new ExploreCommand())
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
        return List.of(code, out.toString(), err.toString());
    }
}

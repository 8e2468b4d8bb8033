// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** One run of the command line in this JVM, and what it left behind. */
record Invocation(int exitCode, String out, String err) {

    static Invocation of(String... args) {
        return with(Ansi.OFF, args);
    }

    /** No time passes, so that a slow machine tells no progress. */
    static Invocation with(Ansi ansi, String... args) {
        return on(Main.commandLine(() -> 0, args).setColorScheme(Help.defaultColorScheme(ansi)), args);
    }

    static Invocation on(CommandLine commandLine, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = commandLine
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
        return new Invocation(exitCode, unixLines(out), unixLines(err));
    }

    private static String unixLines(StringWriter text) {
        return text.toString().replace(System.lineSeparator(), "\n");
    }

    /** It succeeded, with nothing on standard error. */
    Invocation succeeded() {
        assertThat(err).isEmpty();
        assertThat(exitCode).isZero();
        return this;
    }

    /** It failed with this code, nothing on standard output, and one line on standard error that has these words. */
    void failed(int expectedCode, String... words) {
        assertThat(err).startsWith("verbatim: ").endsWith("\n").contains(words);
        assertThat(err.lines()).hasSize(1);
        assertThat(out).isEmpty();
        assertThat(exitCode).isEqualTo(expectedCode);
    }
}

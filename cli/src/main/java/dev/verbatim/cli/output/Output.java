// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.output;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What a command prints: results on standard output, and what it says besides in a line each on standard error. Both are text, or lines of
 * JSON with {@code --json}. A mixin of each command.
 */
public final class Output {

    /** The option by which a command prints JSON. */
    public static final String OPTION = "--json";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(names = OPTION, description = "Print one JSON object per line.")
    private boolean json;

    private final @Nullable PrintWriter out;
    private final @Nullable PrintWriter err;

    /** For a command line to fill in. */
    Output() {
        this.out = null;
        this.err = null;
    }

    /**
     * To these writers.
     *
     * @param json whether as JSON
     */
    public Output(PrintWriter out, PrintWriter err, boolean json) {
        this.out = out;
        this.err = err;
        this.json = json;
    }

    /** Prints a result, and flushes. */
    public void print(Result result) {
        print(List.of(result), result::text);
    }

    /**
     * Prints what several lines say, and flushes.
     *
     * @param lines for programs: {@link Line}s, other records, or maps of names to values
     * @param text prints it for people
     */
    public void print(List<?> lines, Consumer<PrintWriter> text) {
        PrintWriter to = out();
        if (json) {
            lines.forEach(line -> to.println(Json.text(line)));
        } else {
            text.accept(to);
        }
        to.flush();
    }

    /** Prints what is for programs only, and flushes. */
    public void printForPrograms(Line line) {
        print(List.of(line), to -> {});
    }

    /** Something that prints by itself: the first for programs, or the second for people. */
    public <T> T either(Function<PrintWriter, T> programs, Function<PrintWriter, T> people) {
        return (json ? programs : people).apply(out());
    }

    /** Whether text may have colours. */
    public boolean isColoured() {
        return spec != null && spec.commandLine().getColorScheme().ansi().enabled();
    }

    /** Says that something was wrong. */
    public void error(String message) {
        say("error", message);
    }

    /** Says that the result may not be what it seems. */
    public void warning(String message) {
        say("warning", message);
    }

    /** Says what is being done. */
    public void progress(String message) {
        say("progress", message);
    }

    private record Said(String kind, String text) {}

    private void say(String kind, String message) {
        PrintWriter to = err();
        String text = message.replaceAll("\\s*\\R\\s*", " ");
        to.println(json ? Json.text(new Said(kind, text)) : "verbatim: " + text);
        to.flush();
    }

    /** Says how far the command is, upon the terminal if there is one; the command line's object tells nanoseconds, from anywhere. */
    public StatusLine status() {
        LongSupplier clock = (LongSupplier) Objects.requireNonNull(spec).root().userObject();
        return new StatusLine(this, Terminal.rewritesErrors(), Terminal.columns(), clock);
    }

    /** Where a line can be written again, on a terminal; null for programs, who get a line of its own each time. */
    @Nullable
    PrintWriter terminal() {
        return json ? null : err();
    }

    private PrintWriter out() {
        return out != null ? out : Objects.requireNonNull(spec).commandLine().getOut();
    }

    private PrintWriter err() {
        return err != null ? err : Objects.requireNonNull(spec).commandLine().getErr();
    }
}

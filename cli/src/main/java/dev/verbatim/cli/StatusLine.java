// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import java.io.PrintWriter;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Says on standard error how far a command has come: on a terminal in one line that is written again and again, and gone when
 * there is something to show; elsewhere, and for programs, in a line every few seconds.
 */
final class StatusLine {

    private static final long REWRITE_NANOS = 100_000_000L;
    private static final long NEXT_LINE_NANOS = 5_000_000_000L;
    private static final String ERASE = "\r\033[K";

    /** Where the line is written again; null where each is one of its own. */
    private final @Nullable PrintWriter terminal;

    private final StandardError lines;
    private final int columns;
    private final LongSupplier clock;
    private long toldNanos;
    private boolean shown;

    /**
     * Nothing is told before the first few seconds are over, or the first moment on a terminal.
     *
     * @param clock nanoseconds, from anywhere
     */
    StatusLine(CommandLine command, boolean json, boolean isTerminal, int columns, LongSupplier clock) {
        this.terminal = isTerminal && !json ? command.getErr() : null;
        this.lines = new StandardError(command, json);
        this.columns = columns;
        this.clock = clock;
        this.toldNanos = clock.getAsLong();
    }

    /** On the terminal that there is, or none. */
    static StatusLine of(CommandLine command, boolean json) {
        return new StatusLine(command, json, Terminal.rewritesErrors(), Terminal.columns(), Main.clockOf(command));
    }

    /** Tells it if it is time to. */
    void tell(Supplier<String> status) {
        long nowNanos = clock.getAsLong();
        if (nowNanos - toldNanos >= (terminal != null ? REWRITE_NANOS : NEXT_LINE_NANOS)) {
            toldNanos = nowNanos;
            tellNow(status.get());
        }
    }

    /** Tells it in any case. */
    void tellNow(String status) {
        if (terminal == null) {
            lines.progress(status);
            return;
        }
        String line = "verbatim: " + status;
        // A line that is broken cannot be written again.
        terminal.print(ERASE + line.substring(0, Math.min(line.length(), columns - 1)));
        terminal.flush();
        shown = true;
    }

    /** Makes room for what is shown next. */
    void erase() {
        if (terminal != null && shown) {
            terminal.print(ERASE);
            terminal.flush();
            shown = false;
        }
    }
}

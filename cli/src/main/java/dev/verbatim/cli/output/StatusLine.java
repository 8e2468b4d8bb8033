// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.output;

import java.io.PrintWriter;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says on standard error how far a command has come: on a terminal in one line that is written again and again, and gone when
 * there is something to show; elsewhere, and for programs, in a line every few seconds.
 */
public final class StatusLine {

    private static final long REWRITE_NANOS = 100_000_000L;
    private static final long NEXT_LINE_NANOS = 5_000_000_000L;
    private static final String ERASE = "\r\033[K";

    /** Where the line is written again; null where each is one of its own. */
    private final @Nullable PrintWriter terminal;

    private final Output lines;
    private final int columns;
    private final LongSupplier clock;
    private long toldNanos;
    private boolean shown;

    /**
     * Nothing is told before the first few seconds are over, or the first moment on a terminal.
     *
     * @param clock nanoseconds, from anywhere
     */
    StatusLine(Output output, boolean isTerminal, int columns, LongSupplier clock) {
        this.terminal = isTerminal ? output.terminal() : null;
        this.lines = output;
        this.columns = columns;
        this.clock = clock;
        this.toldNanos = clock.getAsLong();
    }

    /** Tells it if it is time to. */
    public void tell(Supplier<String> status) {
        long nowNanos = clock.getAsLong();
        if (nowNanos - toldNanos >= (terminal != null ? REWRITE_NANOS : NEXT_LINE_NANOS)) {
            toldNanos = nowNanos;
            tellNow(status.get());
        }
    }

    /** Tells it in any case. */
    public void tellNow(String status) {
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
    public void erase() {
        if (terminal != null && shown) {
            terminal.print(ERASE);
            terminal.flush();
            shown = false;
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;

/** The traces that are being written, none of them or several. */
final class OpenTraces implements Tap, AutoCloseable {

    private final List<Tap> taps = new ArrayList<>();
    private final List<Runnable> closings = new ArrayList<>();
    private final List<WriteFailures> files = new ArrayList<>();

    /** Adds a tap that writes to {@code file}. */
    void add(Tap tap, Runnable closing, WriteFailures file) {
        files.add(file);
        taps.add(tap);
        closings.add(closing);
    }

    @Override
    public void on(TraceEvent event) {
        taps.forEach(tap -> tap.on(event));
    }

    /**
     * Closes all.
     *
     * @throws CommandFailure if one of the files could not be written
     */
    @Override
    public void close() {
        closings.forEach(Runnable::run);
        files.forEach(WriteFailures::check);
    }
}

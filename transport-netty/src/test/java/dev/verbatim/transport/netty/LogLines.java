// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.testing.Await;
import dev.verbatim.transport.netty.lane.TransportLog;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the transport logs while this is open; it is kept off the console. */
final class LogLines extends Handler implements AutoCloseable {

    private static final Logger LOGGER = Logger.getLogger(TransportLog.NAME);

    private final List<LogRecord> records = new ArrayList<>();

    private LogLines() {}

    static LogLines open() {
        LogLines lines = new LogLines();
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(Level.ALL);
        LOGGER.addHandler(lines);
        return lines;
    }

    /** The warnings and faults. */
    synchronized List<LogRecord> records() {
        return records.stream()
                .filter(record -> record.getLevel().intValue() >= Level.WARNING.intValue())
                .toList();
    }

    /** Waits until a line of any level has these words. */
    void await(String words) {
        Await.until("a line with " + words, () -> anyHas(words), this::all);
    }

    private boolean anyHas(String words) {
        return all().stream().anyMatch(line -> line.contains(words));
    }

    private synchronized List<String> all() {
        return records.stream().map(LogRecord::getMessage).toList();
    }

    List<String> texts() {
        return records().stream().map(LogRecord::getMessage).toList();
    }

    @Override
    public synchronized void publish(LogRecord record) {
        records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
        LOGGER.setLevel(null);
        LOGGER.setUseParentHandlers(true);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

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
    synchronized void await(String words) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + 30_000_000_000L;
        while (records.stream().noneMatch(record -> record.getMessage().contains(words))) {
            long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
            assertThat(leftMillis).as("waiting for a line with %s", words).isPositive();
            wait(leftMillis);
        }
    }

    List<String> texts() {
        return records().stream().map(LogRecord::getMessage).toList();
    }

    @Override
    public synchronized void publish(LogRecord record) {
        records.add(record);
        notifyAll();
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

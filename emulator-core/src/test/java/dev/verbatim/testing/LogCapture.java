// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Takes what a class logs, and keeps it from the console, until closed. */
public final class LogCapture implements AutoCloseable {
    private final BlockingQueue<LogRecord> records = new LinkedBlockingQueue<>();
    private final Logger logger;
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /** Begins with what {@code logs} logs under its own name. */
    public LogCapture(Class<?> logs) {
        this(logs.getName());
    }

    /** Begins with what is logged under a name. */
    public LogCapture(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    /** What was logged, by any thread; waited for with {@code poll}. */
    public BlockingQueue<LogRecord> records() {
        return records;
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }
}

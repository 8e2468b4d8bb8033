// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak;

import dev.verbatim.cli.soak.account.SoakFailures;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects log records with an exception: a lane goes on after one, so nothing else would report it. */
final class LogWatch extends Handler {

    private static final Logger LOGGER = Logger.getLogger("dev.verbatim");

    private final SoakFailures failures;

    private LogWatch(SoakFailures failures) {
        this.failures = failures;
    }

    /** Sees everything from now on until it is closed. */
    static LogWatch begin(SoakFailures failures) {
        LogWatch watch = new LogWatch(failures);
        LOGGER.addHandler(watch);
        return watch;
    }

    @Override
    public void publish(LogRecord entry) {
        Throwable thrown = entry.getThrown();
        if (thrown != null) {
            failures.thrown("the log says: " + entry.getMessage(), thrown);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
    }
}

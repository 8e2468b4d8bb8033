// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was found wrong, by whichever thread. */
public final class SoakFailures {

    private static final int MOST_KEPT = 20;

    private final List<SoakFailure> kept = new ArrayList<>();
    private long count;

    @SuppressWarnings("AnnotateFormatMethod") // the checks that call it are all in this package
    public void add(List<String> history, String format, Object... values) {
        add(new SoakFailure(String.format(Locale.ROOT, format, values), history));
    }

    private synchronized void add(SoakFailure failure) {
        count++;
        if (kept.size() < MOST_KEPT) {
            kept.add(failure);
        }
    }

    /** Something was thrown that no verb may throw. */
    public void thrown(String where, Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        add(trace.toString().lines().limit(30).toList(), "%s threw %s", where, thrown);
    }

    public synchronized boolean isEmpty() {
        return count == 0;
    }

    public synchronized long count() {
        return count;
    }

    public synchronized List<SoakFailure> kept() {
        return List.copyOf(kept);
    }
}

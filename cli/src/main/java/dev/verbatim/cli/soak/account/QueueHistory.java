// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;

/** The last events of a queue; formatted only on demand. */
public final class QueueHistory {

    private static final int LENGTH = 48;
    private static final double NANOS_PER_MILLI = 1e6;

    private record Mark(long nanos, String thread, String what, Object detail) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%12.3f ms  %-16s %s %s", nanos / NANOS_PER_MILLI, thread, what, detail);
        }
    }

    private final long originNanos;
    private final ArrayDeque<Mark> marks = new ArrayDeque<>();

    public QueueHistory(long originNanos) {
        this.originNanos = originNanos;
    }

    /** Details must not change afterwards. */
    public synchronized void mark(String what, Object detail) {
        if (marks.size() == LENGTH) {
            marks.removeFirst();
        }
        marks.addLast(
                new Mark(System.nanoTime() - originNanos, Thread.currentThread().getName(), what, detail));
    }

    public synchronized List<String> lines() {
        return marks.stream().map(Mark::toString).toList();
    }
}

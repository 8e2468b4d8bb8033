// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

import dev.verbatim.cli.soak.plan.SoakPlan;
import java.util.Locale;

/** What a {@code wr_id} says: which queue it was posted to, by which thread, as that thread's how manieth there. */
public final class RequestId {

    private static final int THREAD_SHIFT = 34;
    private static final int LEDGER_SHIFT = 40;

    private RequestId() {}

    static long of(int ledger, int thread, long sequence) {
        return (long) ledger << LEDGER_SHIFT | (long) thread << THREAD_SHIFT | sequence;
    }

    public static int ledger(long id) {
        return (int) (id >>> LEDGER_SHIFT);
    }

    static int thread(long id) {
        return (int) (id >>> THREAD_SHIFT) & SoakPlan.MOST_THREADS - 1;
    }

    static long sequence(long id) {
        return id & (1L << THREAD_SHIFT) - 1;
    }

    public static String describe(long id) {
        return String.format(
                Locale.ROOT, "wr_id=0x%x (queue %d, thread %d, number %d)", id, ledger(id), thread(id), sequence(id));
    }
}

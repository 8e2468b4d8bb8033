// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

import dev.verbatim.verbs.WcStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What became of all requests. */
public final class Totals {

    public final LongAdder posted = new LongAdder();
    final LongAdder succeeded = new LongAdder();
    final LongAdder silent = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder flushed = new LongAdder();
    final LongAdder discarded = new LongAdder();
    final LongAdder overrun = new LongAdder();

    void count(WcStatus status) {
        switch (status) {
            case SUCCESS -> succeeded.increment();
            case WR_FLUSH_ERR -> flushed.increment();
            default -> failed.increment();
        }
    }

    void add(Totals other) {
        posted.add(other.posted.sum());
        succeeded.add(other.succeeded.sum());
        silent.add(other.silent.sum());
        failed.add(other.failed.sum());
        flushed.add(other.flushed.sum());
        discarded.add(other.discarded.sum());
        overrun.add(other.overrun.sum());
    }

    void clear() {
        posted.reset();
        succeeded.reset();
        silent.reset();
        failed.reset();
        flushed.reset();
        discarded.reset();
        overrun.reset();
    }

    /** Those that were not accounted for. */
    public long missing() {
        return posted.sum()
                - succeeded.sum()
                - silent.sum()
                - failed.sum()
                - flushed.sum()
                - discarded.sum()
                - overrun.sum();
    }

    public Map<String, Long> all() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("posted", posted.sum());
        all.put("succeeded", succeeded.sum());
        all.put("succeeded unsignaled", silent.sum());
        all.put("failed", failed.sum());
        all.put("flushed", flushed.sum());
        all.put("discarded", discarded.sum());
        all.put("lost to overrun", overrun.sum());
        all.put("missing", missing());
        return all;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.function.Supplier;

/** How many events of an identifier were fetched and not acknowledged; ready when there are none (CM-29). */
final class UnacknowledgedEvents extends WaitPoint {

    private int count;

    synchronized void fetched() {
        count++;
    }

    synchronized void acknowledged() {
        count--;
        if (count == 0) {
            signal();
        }
    }

    synchronized int count() {
        return count;
    }

    synchronized void requireNone() {
        if (count > 0) {
            throw VerbsException.of(
                    Errno.EBUSY,
                    Rule.CM_29,
                    "%d events of the identifier were fetched and not acknowledged; acknowledge them first",
                    count);
        }
    }

    synchronized VerbsException notWithin(Duration patience) {
        return VerbsException.of(
                Errno.ETIMEDOUT,
                Rule.CM_29,
                "%d events of the identifier were not acknowledged within %s; acknowledge them first",
                count,
                patience);
    }

    @Override
    protected Supplier<String> waitedFor() {
        return () -> "events of the identifier were fetched and not acknowledged, so many: " + count()
                + "; acknowledge them";
    }

    @Override
    protected boolean ready() {
        return count == 0;
    }
}

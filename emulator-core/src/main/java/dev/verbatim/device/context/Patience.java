// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;

/** How long callers are willing to wait, and what they are told when that is over. */
public final class Patience {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Patience() {}

    /** Nothing came in time: a wait reports that, and a look polls. */
    public static VerbsException isOver(Rule rule, String what, Duration patience) {
        return VerbsException.of(
                Errno.ETIMEDOUT, rule, "no %s within %s; wait longer, or poll if there may be none", what, patience);
    }

    /** Nanoseconds; {@link Long#MAX_VALUE} for whatever is too long to count. */
    public static long nanos(Duration patience) {
        VerbsException.requireNonNull(patience, "patience");
        return patience.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : patience.toNanos();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.verbs.VerbsException;
import java.time.Duration;

/** How long callers are willing to wait. */
public final class Patience {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Patience() {}

    /** Nanoseconds; {@link Long#MAX_VALUE} for whatever is too long to count. */
    public static long nanos(Duration patience) {
        VerbsException.requireNonNull(patience, "patience");
        return patience.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : patience.toNanos();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.WcStatus;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where real devices differ (section M).
 *
 * @param comparesPd whether windows of type 2 are of kind 2B, which compare the domain, and not 2A (MW-01, MW-02)
 * @param boundRegion how deregistering a region is refused while windows are bound to it; null if it succeeds (MR-50)
 * @param failedRemoteInvalidation what the sender of a SEND_WITH_INV sees that cannot invalidate (MW-85)
 */
public record Conduct(
        boolean comparesPd, @Nullable Errno boundRegion, WcStatus failedRemoteInvalidation, Set<Deviation> deviations) {

    /** What the rules say, with windows 2B. */
    public static final Conduct STRICT = new Conduct(true, Errno.EBUSY, WcStatus.RETRY_EXC_ERR, Set.of());

    /** What the rules say, with windows 2A. */
    public static final Conduct STRICT_2A = new Conduct(false, Errno.EBUSY, WcStatus.RETRY_EXC_ERR, Set.of());

    /** What the rules say, with windows 2B, but for this. */
    public static Conduct strictBut(Deviation... deviations) {
        return new Conduct(true, Errno.EBUSY, WcStatus.RETRY_EXC_ERR, Set.of(deviations));
    }

    boolean has(Deviation deviation) {
        return deviations.contains(deviation);
    }
}

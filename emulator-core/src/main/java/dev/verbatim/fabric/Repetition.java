// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/**
 * A timer that has something asked again which was refused, without a bound: as long as nothing else happens it is refused again. Where
 * time is simulated, it does not keep a run going that would else have ended.
 */
public abstract class Repetition extends LaneTimer {

    private long changesBefore = -1;
    private int refusals;

    /**
     * It was refused, and is armed once more.
     *
     * @param changes how often anything was done by programs so far
     */
    public final void refused(long changes) {
        refusals = changes == changesBefore ? refusals + 1 : 1;
        changesBefore = changes;
    }

    /** Whether all was as it is now when it was asked last: the refusal before that one may have been on its way already. */
    public final boolean isInVain(long changes) {
        return changes == changesBefore && refusals > 1;
    }
}

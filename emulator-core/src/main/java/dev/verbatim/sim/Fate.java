// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

/**
 * What becomes of one packet on its way: how many copies arrive, and how much later than usual the last of them does.
 * Earlier copies arrive in the usual time, so a duplicate that is held back is a late ghost of a packet long received.
 *
 * @param copies 0 loses the packet, 1 delivers it, 2 duplicates it
 * @param delayNanos how long the last copy is held back beyond the latency of the link, at most one hour; others may
 *     overtake it
 */
public record Fate(int copies, long delayNanos) {

    /** The packet arrives once and in time. */
    public static final Fate DELIVER = new Fate(1, 0);

    /** The packet is lost. */
    public static final Fate DROP = new Fate(0, 0);

    /** The packet arrives twice, one right behind the other. */
    public static final Fate DUPLICATE = new Fate(2, 0);

    private static final int MOST_COPIES = 2;

    /** Checks the ranges. */
    public Fate {
        if (copies < 0 || copies > MOST_COPIES) {
            throw new IllegalArgumentException("copies=" + copies + " is not in 0.." + MOST_COPIES
                    + "; lose a packet, deliver it or duplicate it");
        }
        LinkFaults.requireDelay("delayNanos", delayNanos, 0);
    }

    /** The packet arrives once, and so much later than usual. */
    public static Fate delayed(long delayNanos) {
        return new Fate(1, delayNanos);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

/**
 * How long a link of a {@link LossyFabric} takes, and how often it fails. Packets change their order when some are held
 * back and others are not. The faults of one packet are drawn one after the other: dropped, else duplicated, and the last
 * copy delayed.
 *
 * @param dropPerMille how many packets of a thousand are lost, 0 to 1000
 * @param duplicatePerMille how many arrive twice, 0 to 1000
 * @param delayPerMille how many are held back, 0 to 1000
 * @param reorderPerMille how many may be overtaken by later ones, 0 to 1000; only a simulation's schedule lets them be
 * @param corruptPerMille how many arrive with one bit turned over, which their ICRC tells, 0 to 1000
 * @param latencyNanos how long every packet takes, 1 ns to one hour; never 0, or time would stand still between devices
 *     that answer each other
 * @param longestExtraDelayNanos how long at most a packet is held back beyond the latency, 0 to one hour, at least 1 if
 *     any are
 */
public record LinkFaults(
        int dropPerMille,
        int duplicatePerMille,
        int delayPerMille,
        int reorderPerMille,
        int corruptPerMille,
        long latencyNanos,
        long longestExtraDelayNanos) {

    /** What probabilities are counted in. */
    static final int MILLE = 1_000;

    /** A packet that is held back for an hour has outlived every retry. */
    static final long LONGEST_DELAY_NANOS = 3_600_000_000_000L;

    /** A link that takes a microsecond and never fails. */
    public static final LinkFaults NONE = new LinkFaults(0, 0, 0, 1_000, 0);

    /** Checks the ranges. */
    public LinkFaults {
        requirePerMille("dropPerMille", dropPerMille);
        requirePerMille("duplicatePerMille", duplicatePerMille);
        requirePerMille("delayPerMille", delayPerMille);
        requirePerMille("reorderPerMille", reorderPerMille);
        requirePerMille("corruptPerMille", corruptPerMille);
        requireDelay("latencyNanos", latencyNanos, 1);
        requireDelay("longestExtraDelayNanos", longestExtraDelayNanos, delayPerMille > 0 ? 1 : 0);
    }

    /** A link that neither lets packets be overtaken nor changes them. */
    public LinkFaults(
            int dropPerMille,
            int duplicatePerMille,
            int delayPerMille,
            long latencyNanos,
            long longestExtraDelayNanos) {
        this(dropPerMille, duplicatePerMille, delayPerMille, 0, 0, latencyNanos, longestExtraDelayNanos);
    }

    /** The same link, but that it loses so many packets of a thousand. */
    public LinkFaults dropping(int perMille) {
        return new LinkFaults(
                perMille,
                duplicatePerMille,
                delayPerMille,
                reorderPerMille,
                corruptPerMille,
                latencyNanos,
                longestExtraDelayNanos);
    }

    /** The same link, but that it duplicates so many packets of a thousand. */
    public LinkFaults duplicating(int perMille) {
        return new LinkFaults(
                dropPerMille,
                perMille,
                delayPerMille,
                reorderPerMille,
                corruptPerMille,
                latencyNanos,
                longestExtraDelayNanos);
    }

    /** The same link, but that it holds back so many packets of a thousand, for so long at most. */
    public LinkFaults delaying(int perMille, long longestNanos) {
        return new LinkFaults(
                dropPerMille,
                duplicatePerMille,
                perMille,
                reorderPerMille,
                corruptPerMille,
                latencyNanos,
                longestNanos);
    }

    /** The same link, but that so many packets of a thousand may be overtaken. */
    public LinkFaults reordering(int perMille) {
        return new LinkFaults(
                dropPerMille,
                duplicatePerMille,
                delayPerMille,
                perMille,
                corruptPerMille,
                latencyNanos,
                longestExtraDelayNanos);
    }

    /** The same link, but that it changes a bit of so many packets of a thousand. */
    public LinkFaults corrupting(int perMille) {
        return new LinkFaults(
                dropPerMille,
                duplicatePerMille,
                delayPerMille,
                reorderPerMille,
                perMille,
                latencyNanos,
                longestExtraDelayNanos);
    }

    private static void requirePerMille(String name, int value) {
        if (value < 0 || value > MILLE) {
            throw new IllegalArgumentException(
                    name + "=" + value + " is not in 0.." + MILLE + "; it counts packets of a thousand");
        }
    }

    /** Refuses a time on the way that is shorter than {@code leastNanos} or longer than an hour. */
    static void requireDelay(String name, long nanos, long leastNanos) {
        if (nanos < leastNanos || nanos > LONGEST_DELAY_NANOS) {
            throw new IllegalArgumentException(name + "=" + nanos + " is not in " + leastNanos + ".."
                    + LONGEST_DELAY_NANOS + "; a packet is under way for an hour at most, and a link takes time");
        }
    }
}

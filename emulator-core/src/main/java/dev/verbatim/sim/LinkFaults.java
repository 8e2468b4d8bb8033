// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How long links take, and how often they, and the devices behind them, fail. Packets change their order when some are held
 * back and others are not. What happens to one packet is drawn one after the other, in the order of {@link DrawnFaults}.
 *
 * @param perMille by fault how many packets of a thousand meet it, 0 to 1000; those that are missing never happen
 * @param latencyNanos how long every packet takes, 1 ns to one hour; never 0, or time would stand still between devices
 *     that answer each other
 * @param longestExtraDelayNanos how long at most a packet is held back beyond the latency, 0 to one hour, at least 1 if
 *     any are
 * @param longestCutNanos maximum duration of a cut, after which the link is restored, 1 ns to one hour
 */
public record LinkFaults(
        Map<ChoicePoint, Integer> perMille, long latencyNanos, long longestExtraDelayNanos, long longestCutNanos) {

    /** A packet that is held back for an hour has outlived every retry. */
    static final long LONGEST_DELAY_NANOS = 3_600_000_000_000L;

    private static final int MILLE = 1_000;
    private static final long USUAL_CUT_NANOS = 1_000_000_000L;

    /** A link that takes a microsecond and never fails. */
    public static final LinkFaults NONE = new LinkFaults(new EnumMap<>(ChoicePoint.class), 1_000, 0, USUAL_CUT_NANOS);

    /** Checks the ranges. */
    public LinkFaults {
        EnumMap<ChoicePoint, Integer> odds = new EnumMap<>(ChoicePoint.class);
        odds.putAll(perMille);
        perMille = Collections.unmodifiableMap(odds);
        perMille.forEach(LinkFaults::requireOdds);
        requireDelay("latencyNanos", latencyNanos, 1);
        boolean delays = odds.getOrDefault(ChoicePoint.LINK_DELAY, 0) > 0;
        requireDelay("longestExtraDelayNanos", longestExtraDelayNanos, delays ? 1 : 0);
        requireDelay("longestCutNanos", longestCutNanos, 1);
    }

    /** How many packets of a thousand meet the fault. */
    public int perMille(ChoicePoint fault) {
        return perMille.getOrDefault(fault, 0);
    }

    /** The same, but that so many packets of a thousand meet the fault. */
    public LinkFaults with(ChoicePoint fault, int packetsPerMille) {
        EnumMap<ChoicePoint, Integer> odds = new EnumMap<>(ChoicePoint.class);
        odds.putAll(perMille);
        odds.put(fault, packetsPerMille);
        return new LinkFaults(odds, latencyNanos, longestExtraDelayNanos, longestCutNanos);
    }

    /** The same link, but that it loses so many packets of a thousand. */
    public LinkFaults dropping(int packetsPerMille) {
        return with(ChoicePoint.LINK_DROP, packetsPerMille);
    }

    /** The same link, but that it duplicates so many packets of a thousand. */
    public LinkFaults duplicating(int packetsPerMille) {
        return with(ChoicePoint.LINK_DUPLICATE, packetsPerMille);
    }

    /** The same link, but that it holds back so many packets of a thousand, for so long at most. */
    public LinkFaults delaying(int packetsPerMille, long longestNanos) {
        return new LinkFaults(perMille, latencyNanos, longestNanos, longestCutNanos)
                .with(ChoicePoint.LINK_DELAY, packetsPerMille);
    }

    /** The same link, but that so many packets of a thousand may be overtaken; only a {@link Schedule} lets them be. */
    public LinkFaults reordering(int packetsPerMille) {
        return with(ChoicePoint.LINK_REORDER, packetsPerMille);
    }

    /** The same link, but that it turns over a bit of so many packets of a thousand, which their ICRC tells. */
    public LinkFaults corrupting(int packetsPerMille) {
        return with(ChoicePoint.LINK_CORRUPT, packetsPerMille);
    }

    /** The same link, but that it is cut, for so long at most, when so many packets of a thousand are sent. */
    public LinkFaults cutting(int packetsPerMille, long longestNanos) {
        return new LinkFaults(perMille, latencyNanos, longestExtraDelayNanos, longestNanos)
                .with(ChoicePoint.LINK_CUT, packetsPerMille);
    }

    /** The same link, but that it takes so long. */
    public LinkFaults withLatencyNanos(long nanos) {
        return new LinkFaults(perMille, nanos, longestExtraDelayNanos, longestCutNanos);
    }

    private static void requireOdds(ChoicePoint fault, int value) {
        if (fault.kind() != ChoicePoint.Kind.FAULT) {
            throw new IllegalArgumentException(fault + " is no fault; its choices have no odds");
        }
        if (value < 0 || value > MILLE) {
            throw new IllegalArgumentException(fault.label() + " perMille=" + value + " is not in 0.." + MILLE
                    + "; it counts packets of a thousand");
        }
    }

    /** Refuses a time that is shorter than {@code leastNanos} or longer than an hour. */
    static void requireDelay(String name, long nanos, long leastNanos) {
        if (nanos < leastNanos || nanos > LONGEST_DELAY_NANOS) {
            throw new IllegalArgumentException(name + "=" + nanos + " is not in " + leastNanos + ".."
                    + LONGEST_DELAY_NANOS + "; a packet is under way for an hour at most, and a link takes time");
        }
    }
}

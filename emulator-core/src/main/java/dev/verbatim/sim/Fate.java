// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

/**
 * What a link does to one packet: how many copies arrive, and how much later than usual the last of them arrives.
 * Earlier copies arrive in the usual time, so a delayed duplicate arrives long after its packet was received.
 *
 * @param copies 0 loses the packet, 1 delivers it, 2 duplicates it
 * @param delayNanos how long the last copy is held back beyond the latency of the link, at most one hour; others may
 *     overtake it
 * @param mayBeOvertaken whether a schedule may let later packets of the same queue pair arrive first
 * @param outage a fault of more than this packet, which begins when it is sent
 * @param outageNanos how long a cut lasts, at most one hour; 0 for ever
 * @param corrupted whether one bit of the last copy is flipped, so that its ICRC is wrong
 */
public record Fate(
        int copies, long delayNanos, boolean mayBeOvertaken, boolean corrupted, Outage outage, long outageNanos) {

    /** The packet arrives once and in time. */
    public static final Fate DELIVER = new Fate(1, 0);

    /** The packet is lost. */
    public static final Fate DROP = new Fate(0, 0);

    /** The packet arrives twice, one right behind the other. */
    public static final Fate DUPLICATE = new Fate(2, 0);

    private static final int MOST_COPIES = 2;

    /** The packet arrives, but with a bit turned over. */
    public static final Fate CORRUPT = new Fate(1, 0, false, true, Outage.NONE, 0);

    /** The packet arrives once, and those that follow it may do so before it, if the schedule decides so. */
    public static final Fate OVERTAKEN = new Fate(1, 0, true, false, Outage.NONE, 0);

    /** A packet that is neither overtaken nor changed. */
    public Fate(int copies, long delayNanos) {
        this(copies, delayNanos, false, false, Outage.NONE, 0);
    }

    /** Checks the ranges. */
    public Fate {
        if (copies < 0 || copies > MOST_COPIES) {
            throw new IllegalArgumentException("copies=" + copies + " is not in 0.." + MOST_COPIES
                    + "; lose a packet, deliver it or duplicate it");
        }
        LinkFaults.requireDelay("delayNanos", delayNanos, 0);
        LinkFaults.requireDelay("outageNanos", outageNanos, 0);
    }

    /** The packet is lost, and more than that happens; a cut heals after so many nanoseconds, or never if they are 0. */
    public static Fate outage(Outage outage, long nanos) {
        return new Fate(0, 0, false, false, outage, nanos);
    }

    /** What the link does to the packet, as a verb: "loses". */
    public String inWords() {
        return switch (outage) {
            case CUT -> outageNanos == 0 ? "is cut at" : "is cut for " + outageNanos + " ns at";
            case SILENCE -> "falls silent at";
            case CRASH -> "crashes at";
            case NONE -> copies == 0 ? "loses" : inWordsOfOne();
        };
    }

    private String inWordsOfOne() {
        String text = copies == 2 ? "duplicates" : "";
        if (delayNanos > 0) {
            text += (text.isEmpty() ? "" : " and ") + "delays by " + delayNanos + " ns";
        }
        if (mayBeOvertaken) {
            text += (text.isEmpty() ? "" : " and ") + "lets others overtake";
        }
        if (corrupted) {
            text += (text.isEmpty() ? "" : " and ") + "damages";
        }
        return text.isEmpty() ? "delivers" : text;
    }

    /** The packet arrives once, and so much later than usual. */
    public static Fate delayed(long delayNanos) {
        return new Fate(1, delayNanos);
    }
}

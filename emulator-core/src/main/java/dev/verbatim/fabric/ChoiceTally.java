// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.util.Locale;

/** How often each choice point was asked with more than one alternative, and how often another than the first was taken. */
public final class ChoiceTally {

    private final long[] asked = new long[ChoicePoint.values().length];
    private final long[] deviated = new long[asked.length];

    /** All zero. */
    public ChoiceTally() {}

    /** One more choice. */
    public void count(ChoicePoint point, int taken) {
        asked[point.ordinal()]++;
        if (taken != 0) {
            deviated[point.ordinal()]++;
        }
    }

    /** So many more choices of a point, and how many of them were not the first alternative. */
    public void add(ChoicePoint point, long askedMore, long deviatedMore) {
        asked[point.ordinal()] += askedMore;
        deviated[point.ordinal()] += deviatedMore;
    }

    /** Adds what another counted. */
    public ChoiceTally add(ChoiceTally other) {
        for (int i = 0; i < asked.length; i++) {
            asked[i] += other.asked[i];
            deviated[i] += other.deviated[i];
        }
        return this;
    }

    /** How often the point was asked. */
    public long asked(ChoicePoint point) {
        return asked[point.ordinal()];
    }

    /** How often it took another alternative than the first. */
    public long deviated(ChoicePoint point) {
        return deviated[point.ordinal()];
    }

    /** A table with a line for each point that there is, also those that were never asked. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(row("point", "asked", "not first", "rules"));
        for (ChoicePoint point : ChoicePoint.values()) {
            text.append('\n')
                    .append(row(
                            point.label(),
                            Long.toString(asked(point)),
                            Long.toString(deviated(point)),
                            String.join(" ", point.rules())));
        }
        return text.toString();
    }

    private static String row(String point, String asked, String deviated, String rules) {
        return String.format(Locale.ROOT, "%-26s %12s %12s  %s", point, asked, deviated, rules);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page.fold;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * How often events came again.
 *
 * @param events the events, and how often they came again
 * @param packets the packets that they belong to; empty for none
 * @param untilNanos when the last of them came
 */
public record Repeated(String events, String packets, long untilNanos) {

    private static final double NANOS_PER_MICRO = 1e3;

    /**
     * Puts a repetition in words.
     *
     * @param packets the names of the packets that are sent in one of these times
     */
    static Repeated of(Repetitions.Entry<?> repetition, Stream<String> packets, long untilNanos) {
        Map<String, Long> counts = new LinkedHashMap<>();
        packets.forEach(name -> counts.merge(name, repetition.times() + 1, Long::sum));
        StringJoiner counted = new StringJoiner(", ", ": ", "").setEmptyValue("");
        counts.forEach((name, count) -> counted.add(String.format(Locale.ROOT, "%,d x %s", count, name)));
        int period = repetition.period();
        String events = String.format(
                Locale.ROOT,
                "the %s before this line, %,d times more",
                period == 1 ? "event" : period + " events",
                repetition.times());
        return new Repeated(events, counted.toString(), untilNanos);
    }

    /** All but the time, so that runs that differ only in times have the same words. */
    public String words() {
        return events + packets;
    }

    /** All, with the time counted from {@code beginNanos}. */
    public String wordsSince(long beginNanos) {
        return String.format(
                Locale.ROOT, "%s until %.3f us%s", events, (untilNanos - beginNanos) / NANOS_PER_MICRO, packets);
    }
}

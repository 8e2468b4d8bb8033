// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page.fold;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;

/** How often events came again, in words. */
final class RepetitionText {

    private static final double NANOS_PER_MICRO = 1e3;

    private RepetitionText() {}

    /**
     * How often the events before came again, of which packets they are, and until when.
     *
     * @param packets the names of the packets that are sent in one of these times
     * @param nanos when the last of the events came
     */
    static String of(Repetitions.Entry<?> repetition, Stream<String> packets, long nanos) {
        Map<String, Long> counts = new LinkedHashMap<>();
        packets.forEach(name -> counts.merge(name, repetition.times() + 1, Long::sum));
        StringJoiner counted = new StringJoiner(", ", ": ", "").setEmptyValue("");
        counts.forEach((name, count) -> counted.add(String.format(Locale.ROOT, "%,d x %s", count, name)));
        int period = repetition.period();
        return String.format(
                Locale.ROOT,
                "the %s before this line, %,d times more until %.3f us%s",
                period == 1 ? "event" : period + " events",
                repetition.times(),
                nanos / NANOS_PER_MICRO,
                counted);
    }
}

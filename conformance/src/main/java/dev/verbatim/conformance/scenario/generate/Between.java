// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import dev.verbatim.conformance.scenario.form.NearestWord;
import java.util.ArrayList;
import java.util.List;

/**
 * What a program has between two accesses.
 *
 * @param flush a FLUSH of what the first one wrote, on its queue pair
 * @param poll the completion of the first, or of the FLUSH, is polled before the second
 * @param fence the second has the flag FENCE
 */
public record Between(boolean flush, boolean poll, boolean fence) {

    /** Nothing. */
    public static final Between NOTHING = new Between(false, false, false);

    private static final String FLUSH_WORD = "flush";
    private static final String POLL_WORD = "poll";
    private static final String FENCE_WORD = "fence";
    private static final String NOTHING_WORD = "nothing";

    /**
     * Reads {@code nothing}, or some of {@code flush}, {@code poll}, {@code fence}, in this order, with hyphens between.
     *
     * @throws IllegalArgumentException if it is something else, with the nearest word
     */
    public static Between parse(String text) {
        return text.equals(NOTHING_WORD) ? NOTHING : of(List.of(text.split("-", -1)));
    }

    static Between of(List<String> words) {
        List<String> left = new ArrayList<>(words);
        Between read =
                new Between(takeFirst(left, FLUSH_WORD), takeFirst(left, POLL_WORD), takeFirst(left, FENCE_WORD));
        if (!left.isEmpty()) {
            List<String> known = List.of(NOTHING_WORD, FLUSH_WORD, POLL_WORD, FENCE_WORD);
            throw new IllegalArgumentException("\"" + left.get(0) + "\" is nothing that can be between accesses; "
                    + (known.contains(left.get(0))
                            ? "flush, poll and fence come in this order, each once"
                            : NearestWord.advice(left.get(0), known)));
        }
        return read;
    }

    private static boolean takeFirst(List<String> words, String word) {
        boolean isFirst = !words.isEmpty() && words.get(0).equals(word);
        if (isFirst) {
            words.remove(0);
        }
        return isFirst;
    }

    /** Why it cannot be between these accesses; empty if it can. */
    String whyNot(Access first, boolean firstWrites, Access second) {
        if (flush && !(first.isPosted() && firstWrites)) {
            return "flush needs a put or an rmw that writes before it, not " + first;
        }
        if (poll && !first.isPosted()) {
            return "poll needs a put, get or rmw before it, not " + first;
        }
        return fence && !second.isPosted() ? "fence needs a put, get or rmw behind it, not " + second : "";
    }

    /** Such as {@code flush-poll-}, or empty: what stands between two accesses in the name of a test. */
    @Override
    public String toString() {
        return (flush ? FLUSH_WORD + "-" : "") + (poll ? POLL_WORD + "-" : "") + (fence ? FENCE_WORD + "-" : "");
    }
}

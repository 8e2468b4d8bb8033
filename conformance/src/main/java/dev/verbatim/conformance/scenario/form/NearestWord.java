// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.Collection;
import java.util.Locale;

/** Finds the most similar word. */
public final class NearestWord {

    private static final int FEW_WORDS = 12;

    private NearestWord() {}

    /** A remedy for a word that is none of {@code known}: the nearest of them, or else all if they are few. */
    public static String advice(String word, Collection<String> known) {
        return advice(word, known, "see docs/scenarios.md");
    }

    /**
     * The same.
     *
     * @param elsewhere the remedy where no word is near, and they are many
     */
    public static String advice(String word, Collection<String> known, String elsewhere) {
        String nearest = "";
        int best = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < best) {
                best = distance;
                nearest = candidate;
            }
        }
        if (best <= Math.max(1, word.length() / 2)) {
            return "did you mean " + nearest + "?";
        }
        if (known.isEmpty()) {
            return "there are none here";
        }
        return known.size() <= FEW_WORDS ? "known here: " + String.join(", ", known) : elsewhere;
    }

    /** How many letters must be added, left out or changed to make one of the other. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}

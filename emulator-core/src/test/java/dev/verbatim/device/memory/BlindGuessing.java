// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

/** How often somebody hits who guesses blindly. */
final class BlindGuessing {

    private BlindGuessing() {}

    /**
     * The number of hits that so many guesses exceed with no more than this probability, if each hits independently with the
     * same odds: the quantile of the binomial distribution.
     */
    static long mostHits(long guesses, double odds, double probability) {
        double term = guesses * Math.log1p(-odds);
        double atMost = Math.exp(term);
        long hits = 0;
        // Terms before the mean may be too small for a double; what is missing of the sum then is smaller still.
        while (1 - atMost > probability) {
            hits++;
            term += Math.log(guesses - hits + 1) - Math.log(hits) + Math.log(odds) - Math.log1p(-odds);
            atMost += Math.exp(term);
        }
        return hits;
    }
}

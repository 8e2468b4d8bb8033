// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench;

import java.util.Arrays;
import java.util.List;

/**
 * One part of a cost.
 *
 * @param values as often as it was measured
 * @param atMost the goal for their median; NaN if there is none
 */
record Cost(String part, String unit, List<Double> values, double atMost) {

    Cost(String part, String unit, List<Double> values) {
        this(part, unit, values, Double.NaN);
    }

    boolean hasGoal() {
        return !Double.isNaN(atMost);
    }

    boolean isGoalMet() {
        return median() <= atMost;
    }

    double median() {
        return Series.median(toArray());
    }

    double best() {
        return Arrays.stream(toArray()).min().orElse(Double.NaN);
    }

    private double[] toArray() {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}

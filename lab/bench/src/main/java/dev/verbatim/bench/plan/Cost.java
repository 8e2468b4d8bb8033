// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

import java.util.Arrays;
import java.util.List;

/**
 * One part of a cost.
 *
 * @param values as often as it was measured
 * @param atMost the goal for their median; NaN if there is none
 */
public record Cost(String part, String unit, List<Double> values, double atMost) {

    public Cost(String part, String unit, List<Double> values) {
        this(part, unit, values, Double.NaN);
    }

    public boolean hasGoal() {
        return !Double.isNaN(atMost);
    }

    public boolean isGoalMet() {
        return median() <= atMost;
    }

    public double median() {
        return Series.median(toArray());
    }

    public double best() {
        return Arrays.stream(toArray()).min().orElse(Double.NaN);
    }

    private double[] toArray() {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}

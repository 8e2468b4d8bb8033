// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench;

import java.util.Arrays;
import java.util.List;

/**
 * One part of a cost.
 *
 * @param values as often as it was measured
 */
record Cost(String part, String unit, List<Double> values) {

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

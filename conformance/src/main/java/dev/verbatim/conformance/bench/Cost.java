// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench;

import java.util.Arrays;

/**
 * One part of a cost.
 *
 * @param values as often as it was measured
 */
record Cost(String part, String unit, double... values) {

    double median() {
        return Series.median(values);
    }

    double best() {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import java.util.List;
import java.util.stream.Collectors;

/** Steps, one after the other; one line for each. */
public record Program(List<Step> steps) {

    @Override
    public String toString() {
        return steps.stream().map(step -> "\n  " + step).collect(Collectors.joining());
    }
}

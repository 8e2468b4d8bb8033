// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import dev.verbatim.bench.plan.Line;
import dev.verbatim.bench.plan.Series;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of a line: our own series, and those of its yardsticks. */
record Row(Line line, Series ours, List<Series> yardsticks) {

    /** The yardstick of that name, if the line has it. */
    @Nullable
    Series yardstick(String name) {
        return yardsticks.stream()
                .filter(series -> series.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The goals that can be judged here. */
    List<Goal> goals() {
        return Goal.of(line).stream().filter(goal -> goal.applies(this)).toList();
    }
}

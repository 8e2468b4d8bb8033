// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.Line;
import org.jspecify.annotations.Nullable;

/** How many of the things that a command reports ended as expected, and how many did not. */
final class ResultCount {

    private int good;
    private int bad;

    /** One ended. */
    void add(boolean isGood) {
        if (isGood) {
            good++;
        } else {
            bad++;
        }
    }

    int good() {
        return good;
    }

    int bad() {
        return bad;
    }

    /** Whether all ended as expected. */
    boolean areGood() {
        return bad == 0;
    }

    private record ResultLine(
            int good, int bad, boolean asExpected, @Nullable Integer skipped) implements Line {}

    /**
     * The line that ends a report for programs.
     *
     * @param skipped how many were skipped besides; null where none can be
     */
    Line line(@Nullable Integer skipped) {
        return new ResultLine(good, bad, areGood(), skipped);
    }
}

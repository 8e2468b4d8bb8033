// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import java.util.LinkedHashMap;
import java.util.Map;

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

    /** The line that ends a report for programs. */
    Map<String, Object> toJson() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", "result");
        line.put("good", good);
        line.put("bad", bad);
        line.put("asExpected", areGood());
        return line;
    }
}

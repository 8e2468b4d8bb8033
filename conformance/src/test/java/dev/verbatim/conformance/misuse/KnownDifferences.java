// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import java.util.Map;

/**
 * Programs of which the sanitizer and the label may say different things, each with the reason. They count in the figures like all others,
 * but do not fail the test.
 */
final class KnownDifferences {

    private static final Map<String, String> REASONS = Map.of(
            "gaspi/conflict-007",
            "two outstanding READs of one queue pair into one place are S3; they end in one way only because responses are in order");

    private KnownDifferences() {}

    static boolean contains(String program) {
        return REASONS.containsKey(program);
    }
}

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
            "two outstanding READs of one queue pair into one place are S3; they end in one way only because responses are in order",
            "verbs/inline-of-result",
            "that an INLINE request reads its source at the post is not compared with outstanding READs",
            "verbs/told-before-read-twin",
            "that a fenced SEND tells of the READs before it is not known",
            "verbs/send-behind-read-twin",
            "the hash of a source that the device itself fills before it is gathered",
            "verbs/write-of-result-twin",
            "the hash of a source that the device itself fills before it is gathered",
            "verbs/read-through-revoked",
            "a key that the requester itself revokes behind an unfenced READ: found only in a run where the READ comes too late",
            "verbs/uc-write-told",
            "a WRITE over UC is forgotten when it has completed, which may be before it arrives");

    private KnownDifferences() {}

    static boolean contains(String program) {
        return REASONS.containsKey(program);
    }
}

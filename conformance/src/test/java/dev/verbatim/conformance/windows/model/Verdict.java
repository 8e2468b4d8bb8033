// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import org.jspecify.annotations.Nullable;

/**
 * What {@link Access} decides.
 *
 * @param rule why
 * @param space the memory that may be touched; null if none is
 * @param offset where in it
 */
record Verdict(Kind kind, String rule, @Nullable Space space, long offset) {

    enum Kind {
        OK,
        INVALID_REQUEST,
        REMOTE_ACCESS
    }

    static Verdict nothingTouched(String rule) {
        return new Verdict(Kind.OK, rule, null, 0);
    }

    static Verdict allowed(String rule, Space space, long offset) {
        return new Verdict(Kind.OK, rule, space, offset);
    }

    static Verdict invalidRequest(String rule) {
        return new Verdict(Kind.INVALID_REQUEST, rule, null, 0);
    }

    static Verdict remoteAccess(String rule) {
        return new Verdict(Kind.REMOTE_ACCESS, rule, null, 0);
    }

    boolean isOk() {
        return kind == Kind.OK;
    }
}

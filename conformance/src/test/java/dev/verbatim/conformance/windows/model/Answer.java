// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.Errno;
import org.jspecify.annotations.Nullable;

/**
 * What a verb returns.
 *
 * @param errno null if it succeeds
 * @param rule why
 */
public record Answer(@Nullable Errno errno, String rule) {

    /** Success. */
    public static final Answer OK = new Answer(null, "");

    static Answer refuse(Errno errno, String rule) {
        return new Answer(errno, rule);
    }

    /** Whether it succeeds. */
    public boolean isOk() {
        return errno == null;
    }

    @Override
    public String toString() {
        return errno == null ? "success" : errno + " [" + rule + "]";
    }
}

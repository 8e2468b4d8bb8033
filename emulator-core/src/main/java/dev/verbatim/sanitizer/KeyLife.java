// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

/** A remote key: what it is of, and how it ended. */
final class KeyLife {

    final String what;

    boolean isValid = true;

    /** How it was revoked, by whom and where; empty while it is valid. */
    String how = "";

    String site = "";
    long revokedNanos;

    KeyLife(String what) {
        this.what = what;
    }

    void end(String manner, String place, long nowNanos) {
        isValid = false;
        how = manner;
        site = place;
        revokedNanos = nowNanos;
    }
}

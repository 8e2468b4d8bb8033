// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

/** Who touches what. */
enum AccessKind {
    LOAD(false),
    STORE(true),
    GATHER(false),
    RETURN(true),
    FETCH(false),
    PLACE(true),
    ATOMIC_WRITE(true),
    ATOMIC(true);

    final boolean isWrite;

    AccessKind(boolean isWrite) {
        this.isWrite = isWrite;
    }
}

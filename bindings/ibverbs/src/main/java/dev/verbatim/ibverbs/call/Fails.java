// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

/** How a function of C says that it failed. The order is that of {@code enum fails} in {@code verbatim.c}. */
enum Fails {
    /** Returns the error number. */
    ERRNO,
    /** Returns -1, with errno. */
    MINUS,
    /** Returns NULL, with errno. */
    NULL,
    /** Returns the error number, negative. */
    COUNT,
    /** Returns 0. */
    ZERO,
    /** Returns nothing. */
    VOID;

    private static final Fails[] ALL = values();

    static Fails of(int number) {
        return ALL[number];
    }

    /** What is returned. */
    long with(int errno) {
        return switch (this) {
            case ERRNO -> errno;
            case MINUS -> -1;
            case COUNT -> -errno;
            case NULL, ZERO, VOID -> 0;
        };
    }

    /** Whether {@code errno} tells the number. */
    boolean setsErrno() {
        return this == MINUS || this == NULL || this == ERRNO;
    }
}

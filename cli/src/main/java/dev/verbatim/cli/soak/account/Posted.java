// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

/** A request that was posted, or is being posted, and has not been accounted for. */
public final class Posted {

    /** While the post has not returned. */
    static final long NOT_YET = Long.MAX_VALUE;

    private final long id;
    private final boolean signaled;
    private final long beginNanos;
    private volatile long endNanos = NOT_YET;

    Posted(long id, boolean signaled) {
        this.id = id;
        this.signaled = signaled;
        this.beginNanos = System.nanoTime();
    }

    long id() {
        return id;
    }

    boolean isSignaled() {
        return signaled;
    }

    /** Before the verb was called. */
    long beginNanos() {
        return beginNanos;
    }

    /** After the verb returned. */
    long endNanos() {
        return endNanos;
    }

    void returned() {
        endNanos = System.nanoTime();
    }
}

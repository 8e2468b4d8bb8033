// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import org.jspecify.annotations.Nullable;

/**
 * One asynchronous request ({@code OVERLAPPED}): given to the call that starts it, delivered exactly once if that call returned PENDING,
 * and then free for the next. A call that returns anything else delivers nothing.
 */
public final class NdOverlapped {

    private final boolean suppressesPort;
    private volatile NdStatus status = NdStatus.SUCCESS;
    private volatile @Nullable NdOverlappedObject issuer;

    /** One that is delivered to the completion port of the object's file, if that has one. */
    public NdOverlapped() {
        this(false);
    }

    private NdOverlapped(boolean suppressesPort) {
        this.suppressesPort = suppressesPort;
    }

    /** One that never comes to a completion port (the low bit of {@code hEvent}). */
    public static NdOverlapped suppressPort() {
        return new NdOverlapped(true);
    }

    /** PENDING while the request is under way, else how the last one ended ({@code Internal}). */
    public NdStatus status() {
        return status;
    }

    /** Whether nothing is under way; makes no progress by itself. */
    public boolean isCompleted() {
        return !status.equals(NdStatus.PENDING);
    }

    boolean suppressesPort() {
        return suppressesPort;
    }

    /** Whether the last request was started at this object. */
    @SuppressWarnings("ReferenceEquality") // the same object
    boolean isOf(NdOverlappedObject object) {
        return issuer == object;
    }

    synchronized void begin(NdOverlappedObject by) {
        if (!isCompleted()) {
            throw new IllegalStateException(
                    "the overlapped is under way at " + issuer + "; wait for it, or take another one");
        }
        issuer = by;
        status = NdStatus.PENDING;
    }

    /** The request ended. */
    synchronized void end(NdOverlappedObject by, NdStatus outcome) {
        issuer = by;
        status = outcome;
    }

    @Override
    public String toString() {
        return "NdOverlapped " + status;
    }
}

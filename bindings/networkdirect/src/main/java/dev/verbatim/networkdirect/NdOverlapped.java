// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import org.jspecify.annotations.Nullable;

/**
 * One asynchronous request ({@code OVERLAPPED}). It is passed to the call that starts the request. If that call returns PENDING the
 * request is delivered exactly once, and the object can be used for the next one; otherwise nothing is delivered.
 */
public final class NdOverlapped {

    private final boolean suppressesPort;
    private volatile NdStatus status = NdStatus.SUCCESS;
    private volatile @Nullable NdOverlappedObject issuer;

    /** A request that is delivered to the completion port of the object's file, if the file has one. */
    public NdOverlapped() {
        this(false);
    }

    private NdOverlapped(boolean suppressesPort) {
        this.suppressesPort = suppressesPort;
    }

    /** A request that is never delivered to a completion port (the low bit of {@code hEvent}). */
    public static NdOverlapped suppressPort() {
        return new NdOverlapped(true);
    }

    /** PENDING while the request is outstanding, else the status with which the last one completed ({@code Internal}). */
    public NdStatus status() {
        NdOverlappedObject by = issuer;
        if (by != null) {
            by.context().calls().touched();
        }
        return status;
    }

    /** Whether no request is outstanding. Makes no progress. */
    public boolean isCompleted() {
        return !status().equals(NdStatus.PENDING);
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

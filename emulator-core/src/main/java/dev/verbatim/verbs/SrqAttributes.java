// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * Attributes of a shared receive queue ({@code struct ibv_srq_attr}).
 *
 * @param maxWr receives that it can hold
 * @param maxSge elements of one receive
 * @param limit an event is raised once when fewer receives than that are left, and the limit is 0 again (SRQ-04); 0 for none
 */
public record SrqAttributes(int maxWr, int maxSge, int limit) {

    /** Attribute bit of {@link #maxWr()} ({@code IBV_SRQ_MAX_WR}). */
    public static final int MAX_WR = 1;

    /** Attribute bit of {@link #limit()} ({@code IBV_SRQ_LIMIT}). */
    public static final int LIMIT = 1 << 1;

    /** A size of {@code maxWr} receives with 4 elements, and no limit. */
    public static SrqAttributes ofSize(int maxWr) {
        return new SrqAttributes(maxWr, 4, 0);
    }

    /** Attributes to arm a limit. */
    public static SrqAttributes ofLimit(int limit) {
        return new SrqAttributes(0, 0, limit);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a shared receive queue is created with ({@code struct ibv_srq_init_attr_ex}).
 *
 * @param attributes sizes asked for; the granted ones are at least as large (SRQ-01). The limit is not looked at
 * @param xrcDomain the domain whose XRC requests may name it; null for a basic queue ({@code IBV_SRQT_BASIC})
 * @param cq where the receives of an XRC queue complete; null for a basic queue
 * @param context the caller's own object
 */
public record SrqInitAttributes(
        SrqAttributes attributes,
        @Nullable XrcDomain xrcDomain,
        @Nullable CompletionQueue cq,
        @Nullable Object context) {

    /** A basic queue with room for so many receives of 4 elements. */
    public static SrqInitAttributes basic(int maxWr) {
        return new SrqInitAttributes(SrqAttributes.ofSize(maxWr), null, null, null);
    }

    /** A queue for XRC requests. */
    public static SrqInitAttributes xrc(int maxWr, XrcDomain xrcDomain, CompletionQueue cq) {
        return new SrqInitAttributes(SrqAttributes.ofSize(maxWr), xrcDomain, cq, null);
    }
}

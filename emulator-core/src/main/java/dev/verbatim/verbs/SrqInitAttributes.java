// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Attributes for the creation of a shared receive queue ({@code struct ibv_srq_init_attr_ex}).
 *
 * @param attributes requested sizes; the granted sizes are at least as large (SRQ-01). The limit is ignored
 * @param xrcDomain the XRC domain of the queue; null for a basic queue ({@code IBV_SRQT_BASIC})
 * @param cq completion queue of the receives of an XRC queue; null for a basic queue
 * @param context context object of the caller
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

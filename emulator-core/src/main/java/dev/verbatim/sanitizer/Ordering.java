// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

/** What order a region keeps among what peers place there (MR-71). */
enum Ordering {
    /** What a path keeps the order of arrives in order. */
    STRICT,
    /** It may arrive before what came earlier, also of the same bytes. */
    RELAXED,
    /** The same, and a READ need not wait for it. */
    UNORDERED
}

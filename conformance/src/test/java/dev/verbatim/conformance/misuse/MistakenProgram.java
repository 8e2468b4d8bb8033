// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

/**
 * A random program and the same with one edge removed.
 *
 * @param seed that it was drawn from
 * @param clean the scenario in which all accesses are ordered
 * @param mistaken the same without one completion or fence, or with an invalidation that comes too early
 * @param change what was removed, such as {@code the completion of a READ is not awaited}
 */
record MistakenProgram(long seed, String clean, String mistaken, String change) {

    @Override
    public String toString() {
        return "seed " + seed + ": " + change;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.operation;

/** What an atomic makes of a word (WR-37). */
public enum Atomic {
    /** The word becomes the second operand if it is equal to the first. */
    COMPARE_AND_SWAP,
    /** The operand is added. */
    FETCH_AND_ADD
}

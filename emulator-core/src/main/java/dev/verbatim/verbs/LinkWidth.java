// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Number of lanes of a port ({@code active_width}). */
public enum LinkWidth {
    /** One lane. */
    X1(1, 1),
    /** Two lanes. */
    X2(16, 2),
    /** Four lanes. */
    X4(2, 4),
    /** Eight lanes. */
    X8(4, 8),
    /** Twelve lanes. */
    X12(8, 12);

    private final int number;
    private final int lanes;

    LinkWidth(int number, int lanes) {
        this.number = number;
        this.lanes = lanes;
    }

    /** Its number in {@code active_width}. */
    public int number() {
        return number;
    }

    /** How many lanes it is. */
    public int lanes() {
        return lanes;
    }
}

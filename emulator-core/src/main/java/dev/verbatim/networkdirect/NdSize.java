// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

/** A number that a caller passes in and reads afterwards, such as {@code ULONG* pcbBuffer}. */
public final class NdSize {

    private int value;

    /** Zero. */
    public NdSize() {}

    /** Some number. */
    public NdSize(int value) {
        this.value = value;
    }

    /** The number. */
    public int value() {
        return value;
    }

    /** Sets it. */
    public void value(int newValue) {
        value = newValue;
    }
}

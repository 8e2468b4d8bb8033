// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

/** What a result is about; the ordinals are the numbers of the binary interface. */
public enum NdRequestType {
    RECEIVE,
    SEND,
    BIND,
    INVALIDATE,
    READ,
    WRITE;

    /** The number in the binary interface. */
    public int value() {
        return ordinal();
    }
}

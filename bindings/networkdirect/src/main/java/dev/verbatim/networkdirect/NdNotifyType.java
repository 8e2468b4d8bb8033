// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

/** What a {@link NdCompletionQueue#notify(NdNotifyType, NdOverlapped) Notify} waits for. */
public enum NdNotifyType {
    /** A completion with an error. */
    ERRORS,

    /** Any completion. */
    ANY,

    /** A receive of a Send with SEND_AND_SOLICIT_EVENT, or an error. */
    SOLICITED;

    /** The number in the binary interface. */
    public int value() {
        return ordinal();
    }
}

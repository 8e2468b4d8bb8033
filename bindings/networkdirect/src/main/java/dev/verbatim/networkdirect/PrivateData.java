// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import org.jspecify.annotations.Nullable;

/** Private data of connection messages. */
final class PrivateData {

    private PrivateData() {}

    /** A copy of what a program passes; empty for null. */
    public static byte[] of(byte @Nullable [] privateData) {
        return privateData == null ? new byte[0] : privateData.clone();
    }

    /**
     * The length of the private data in a message's field, in bytes. Messages do not carry the length.
     *
     * @param padded whether it is the length of the field; otherwise zeros at the end are not counted
     */
    public static int lengthBytes(byte[] field, boolean padded) {
        int length = field.length;
        while (!padded && length > 0 && field[length - 1] == 0) {
            length--;
        }
        return length;
    }
}

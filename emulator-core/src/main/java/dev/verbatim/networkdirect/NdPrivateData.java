// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Private data of connection messages. */
final class NdPrivateData {

    private NdPrivateData() {}

    static byte[] bytes(byte @Nullable [] privateData) {
        return privateData == null ? new byte[0] : privateData.clone();
    }

    static NdStatus check(byte @Nullable [] privateData, int most) {
        return privateData != null && privateData.length > most
                ? NdStatus.INVALID_BUFFER_SIZE.because("privateData=%d bytes > %d", privateData.length, most)
                : NdStatus.SUCCESS;
    }

    /** The private data of an accepting message, shortened to what both kinds of answer have room for. */
    static byte[] ofAccept(byte[] field) {
        return Arrays.copyOf(field, NdAdapterInfo.MAX_CALLEE_DATA);
    }

    /** Copies as many bytes as there is room for. Messages do not carry the length: without padding, zeros at the end are not counted. */
    static NdStatus copy(byte[] field, NdProfile profile, byte @Nullable [] buffer, NdSize size) {
        int length = profile.padPrivateData() ? field.length : lengthWithoutZeros(field);
        int room = buffer == null ? 0 : buffer.length;
        size.value(length);
        if (buffer != null) {
            System.arraycopy(field, 0, buffer, 0, Math.min(room, length));
        }
        return room < length ? NdStatus.BUFFER_OVERFLOW : NdStatus.SUCCESS;
    }

    private static int lengthWithoutZeros(byte[] field) {
        int length = field.length;
        while (length > 0 && field[length - 1] == 0) {
            length--;
        }
        return length;
    }
}

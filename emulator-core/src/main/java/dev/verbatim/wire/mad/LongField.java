// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import java.nio.ByteBuffer;

/**
 * Where a number of 64 bits lies in a datagram, in big-endian order.
 *
 * @param offset counted from where the offsets of its table are counted from
 */
record LongField(int offset) {

    long get(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong(offset);
    }

    void put(byte[] bytes, long value) {
        ByteBuffer.wrap(bytes).putLong(offset, value);
    }
}

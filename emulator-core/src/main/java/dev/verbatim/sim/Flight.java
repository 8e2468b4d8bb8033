// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One packet under way, as bytes. Used again and again; its buffer grows to the largest packet that it ever held. */
final class Flight implements Comparable<Flight> {

    private static final int SMALLEST_BUFFER_BYTES = 256;

    @Nullable
    LossyLink link;

    long arrivalNanos;
    long sequence;
    int lengthBytes;
    ByteBuffer bytes = ByteBuffer.allocate(SMALLEST_BUFFER_BYTES);

    void makeRoom(int neededBytes) {
        if (neededBytes > bytes.capacity()) {
            bytes = ByteBuffer.allocate(neededBytes);
        }
    }

    /** The earlier arrival first; of one time, what was sent first. */
    @Override
    public int compareTo(Flight other) {
        int byTime = Long.compare(arrivalNanos, other.arrivalNanos);
        return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
}

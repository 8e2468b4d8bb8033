// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.memory;

import dev.verbatim.conformance.oracle.key.KeyLife;
import dev.verbatim.conformance.oracle.key.QueuePairState;
import dev.verbatim.conformance.oracle.request.Request;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a device accepted and programs do not see yet.
 *
 * @param queuePair that accepted them
 * @param request what they are of; null if that is not known
 * @param returned whether a request of the queue pair itself brought them, and not a peer
 * @param psn of the packet that brought them
 * @param life of the key by which they were placed; null if there is none
 * @param position where in the trace they were accepted
 */
public record PendingPlacement(
        QueuePairState queuePair,
        @Nullable Request request,
        boolean returned,
        int psn,
        @Nullable KeyLife life,
        long address,
        ByteBuffer data,
        long position) {

    public int lengthBytes() {
        return data.remaining();
    }

    boolean overlaps(long from, long count) {
        return from < address + lengthBytes() && address < from + count;
    }

    boolean covers(long from, long count) {
        return from >= address && from + count <= address + lengthBytes();
    }

    /** The part from an offset on. */
    PendingPlacement part(int offset, int count) {
        return new PendingPlacement(
                queuePair,
                request,
                returned,
                psn,
                life,
                address + offset,
                data.slice(data.position() + offset, count),
                position);
    }

    /** Puts those of its bytes that lie there onto {@code seen}, which begins at {@code from}. */
    void copyOnto(byte[] seen, long from) {
        long begin = Math.max(from, address);
        long end = Math.min(from + seen.length, address + lengthBytes());
        data.get(data.position() + (int) (begin - address), seen, (int) (begin - from), (int) (end - begin));
    }
}

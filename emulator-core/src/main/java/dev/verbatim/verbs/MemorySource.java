// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.nio.ByteBuffer;

/**
 * Supplies the bytes of a {@linkplain Memory#at(long, long, MemorySource) memory} whose addresses its owner gives, of any size, and is asked
 * before a device touches them.
 *
 * <p>All methods are called on the lane of a device, or by the thread that posts inline data; they must not block and must not call verbs.
 */
public interface MemorySource {

    /**
     * A direct buffer over {@code lengthBytes} bytes from {@code offset} on, with index 0 at that offset. It need not be usable: it may lie
     * over memory that is reserved, protected or sparse, which is found out when it is touched. What is called for the same offset several
     * times must show the same bytes each time; buffers of one memory overlap.
     *
     * <p>The real address of the first byte and the memory's address must agree modulo 8, for atomics.
     *
     * @param offset from 0, a multiple of 2^30
     * @param lengthBytes 0 to 2^31-9; it ends within the memory
     */
    ByteBuffer bytes(long offset, int lengthBytes);

    /**
     * Whether the bytes can be read, or written, now. Called right before a device touches them. If not, the access ends as that to any
     * memory that cannot be used (MR-08): LOC_PROT_ERR for an element of a request, a NAK for a remote operational error for a key.
     *
     * @param offset of the first byte in the memory
     * @param lengthBytes above 0
     * @param written whether they are written and not only read
     */
    default boolean isUsable(long offset, long lengthBytes, boolean written) {
        return true;
    }

    /** Whether nothing may be written there, so that LOCAL_WRITE is refused (MR-17). Asked when the memory is made. */
    default boolean isReadOnly() {
        return false;
    }

    /** Whether {@link #force} makes bytes outlast the process (NW-02). Asked when the memory is made. */
    default boolean isPersistent() {
        return false;
    }

    /**
     * Makes bytes outlast the process, for a FLUSH.
     *
     * @throws java.io.UncheckedIOException if that fails
     */
    default void force(long offset, long lengthBytes) {}
}

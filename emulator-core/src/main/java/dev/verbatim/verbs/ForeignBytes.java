// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.nio.ByteBuffer;

/** Bytes at addresses that no {@link Memory} has, such as those of a C program, for inline data; see {@link AddressSpace#foreign}. */
@FunctionalInterface
public interface ForeignBytes {

    /**
     * Copies bytes to {@code target}, whose position and limit stay as they are. Called by the thread that posts, or on the lane of an
     * observed device, with the monitor of the send queue held.
     *
     * @param address of the first byte
     * @param lengthBytes above 0
     * @return whether it was done; false if they cannot be read or are not vouched for, and the memories are asked then
     */
    boolean copyTo(long address, int lengthBytes, ByteBuffer target, int targetOffset);
}

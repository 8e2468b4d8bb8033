// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.nio.ByteBuffer;

/**
 * Memory of a device ({@code struct ibv_dm}): programs reach it by {@link #write} and {@link #read} only, and queue pairs through
 * regions that are {@linkplain ProtectionDomain#register(DeviceMemory, int, int, int) registered} on it.
 */
public interface DeviceMemory extends AutoCloseable {

    /** Number of bytes. */
    int lengthBytes();

    /**
     * Copies the remaining bytes of {@code source} to the device memory ({@code ibv_memcpy_to_dm}). The position of {@code source}
     * does not change.
     *
     * @param offset first byte in the device memory, from 0
     * @throws VerbsException EFAULT if the range is not within the device memory, nothing is copied then (DM-02); ENOENT if it was
     *     freed
     */
    void write(long offset, ByteBuffer source);

    /**
     * Fills the remaining bytes of {@code target} from the device memory ({@code ibv_memcpy_from_dm}). The position of {@code target}
     * does not change.
     *
     * @param offset first byte in the device memory, from 0
     * @throws VerbsException as {@link #write}
     */
    void read(long offset, ByteBuffer target);

    /**
     * Frees the device memory ({@code ibv_free_dm}).
     *
     * @throws VerbsException EBUSY while regions are registered on it, ENOENT if freed before (DM-04)
     */
    @Override
    void close();
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A registered memory region ({@code struct ibv_mr}). Its attributes change when it is
 * {@linkplain #reregister re-registered}.
 */
public interface MemoryRegion extends AutoCloseable {

    /** The protection domain. */
    ProtectionDomain pd();

    /** The registered memory. */
    Memory memory();

    /** Address of the first byte for use in local elements and by peers (MR-20). */
    long address();

    /** Number of bytes. */
    long lengthBytes();

    /** The {@link AccessFlags} it was registered with. */
    int access();

    /** Key for local elements. */
    int lkey();

    /** Key for peers; 0 if the region has no remote rights (MR-13). */
    int rkey();

    /** An element of {@code lengthBytes} bytes from {@code offset}. The range is checked on use. */
    default Sge sge(long offset, int lengthBytes) {
        return new Sge(address() + offset, lengthBytes, lkey());
    }

    /**
     * An element that covers the whole region.
     *
     * @throws IllegalStateException if the region has more than 2^32-1 bytes, which no element has room for
     */
    default Sge sge() {
        long lengthBytes = lengthBytes();
        if (lengthBytes > 0xffff_ffffL) {
            throw new IllegalStateException(
                    "lengthBytes=" + lengthBytes + " > 2^32-1 of an element; use sge(offset, lengthBytes)");
        }
        return sge(0, (int) lengthBytes);
    }

    /**
     * Re-registers the region ({@code ibv_rereg_mr}): changes its memory, its protection domain, its rights, or several
     * of these. As after a deregistration, no byte is accessed through the old registration after the return;
     * operations in progress use either the old or the new registration. The keys may change: read them again (MR-65).
     *
     * @param flags {@link ReregistrationFlags}: the arguments to use
     * @param pd new domain; null unless it changes
     * @param memory new memory; null unless it changes
     * @param offset first byte of the memory
     * @param lengthBytes how many
     * @param access new {@link AccessFlags}; 0 unless they change (MR-62)
     * @throws ReregistrationException with {@link ReregistrationError#INPUT} and EINVAL if the arguments do not fit
     *     together: the region is as it was (MR-60, MR-61, MR-62, MR-69). With {@link ReregistrationError#CMD} and
     *     EBUSY while windows are bound to it, which keep it as it was (MR-64); with EINVAL or EOPNOTSUPP if no such
     *     region could be registered: it can only be closed then (MR-63), unless the profile says otherwise
     */
    void reregister(
            int flags,
            @Nullable ProtectionDomain pd,
            @Nullable Memory memory,
            long offset,
            long lengthBytes,
            int access);

    /** Changes the memory; see {@link #reregister}. */
    default void reregister(Memory memory, long offset, long lengthBytes) {
        reregister(ReregistrationFlags.CHANGE_TRANSLATION, null, memory, offset, lengthBytes, 0);
    }

    /** Changes the protection domain; see {@link #reregister}. */
    default void reregister(ProtectionDomain pd) {
        reregister(ReregistrationFlags.CHANGE_PD, pd, null, 0, 0, 0);
    }

    /** Changes the rights; see {@link #reregister}. */
    default void reregister(int access) {
        reregister(ReregistrationFlags.CHANGE_ACCESS, null, null, 0, 0, access);
    }

    /**
     * Deregisters the region ({@code ibv_dereg_mr}). After the return no byte is accessed with its keys (MR-54).
     *
     * @throws VerbsException EBUSY while a window is bound to it (MR-50), ENOENT if deregistered before (MR-56)
     */
    @Override
    void close();
}

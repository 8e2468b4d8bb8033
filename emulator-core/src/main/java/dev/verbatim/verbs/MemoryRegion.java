// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import org.jspecify.annotations.Nullable;

/** A registered memory region ({@code struct ibv_mr}). What it says of itself changes when it is {@linkplain #reregister re-registered}. */
public interface MemoryRegion extends AutoCloseable {

    /** The domain it was registered in. */
    ProtectionDomain pd();

    /** The memory it lies on. */
    Memory memory();

    /** Address of its first byte as local elements and peers name it (MR-20). */
    long address();

    /** Number of bytes. */
    int lengthBytes();

    /** The {@link AccessFlags} it was registered with. */
    int access();

    /** Key for local elements. */
    int lkey();

    /** Key for peers; 0 if no remote right was asked for (MR-13). */
    int rkey();

    /** An element that names {@code lengthBytes} bytes from {@code offset} on; the range is checked when used. */
    default Sge sge(int offset, int lengthBytes) {
        return new Sge(address() + offset, lengthBytes, lkey());
    }

    /** An element that names the whole region. */
    default Sge sge() {
        return sge(0, lengthBytes());
    }

    /**
     * Changes what the region is ({@code ibv_rereg_mr}): the bytes that it names, its domain, its rights, or several at once. As with a
     * deregistration no byte is touched through what it was after the return; what is under way finds either the old region or the
     * new one. Its keys may change: read them again (MR-65).
     *
     * @param flags {@link ReregistrationFlags}: which of the arguments count
     * @param pd new domain; null unless it changes
     * @param memory new memory; null unless it changes
     * @param offset first byte of it
     * @param lengthBytes how many
     * @param access new {@link AccessFlags}; 0 unless they change (MR-62)
     * @throws ReregistrationException with {@link ReregistrationError#INPUT} and EINVAL if the arguments do not fit together: the
     *     region is as it was (MR-60, MR-61, MR-62, MR-69). With {@link ReregistrationError#CMD} and EBUSY while windows are bound to it,
     *     which keep it as it was (MR-64); with EINVAL or EOPNOTSUPP if no such region could be registered: it can only be closed then
     *     (MR-63), unless the profile says otherwise
     */
    void reregister(
            int flags, @Nullable ProtectionDomain pd, @Nullable Memory memory, int offset, int lengthBytes, int access);

    /** Names other bytes from now on; see {@link #reregister}. */
    default void reregister(Memory memory, int offset, int lengthBytes) {
        reregister(ReregistrationFlags.CHANGE_TRANSLATION, null, memory, offset, lengthBytes, 0);
    }

    /** Is in another domain from now on; see {@link #reregister}. */
    default void reregister(ProtectionDomain pd) {
        reregister(ReregistrationFlags.CHANGE_PD, pd, null, 0, 0, 0);
    }

    /** Grants other rights from now on; see {@link #reregister}. */
    default void reregister(int access) {
        reregister(ReregistrationFlags.CHANGE_ACCESS, null, null, 0, 0, access);
    }

    /**
     * Deregisters the region ({@code ibv_dereg_mr}). After the return no byte is touched through its keys (MR-54).
     *
     * @throws VerbsException EBUSY while a window is bound to it (MR-50), ENOENT if deregistered before (MR-56)
     */
    @Override
    void close();
}

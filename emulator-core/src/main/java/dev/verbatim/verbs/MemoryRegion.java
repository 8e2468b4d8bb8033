// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** A registered memory region ({@code struct ibv_mr}). */
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
     * Deregisters the region ({@code ibv_dereg_mr}). After the return no byte is touched through its keys (MR-54).
     *
     * @throws VerbsException EBUSY while a window is bound to it (MR-50), ENOENT if deregistered before (MR-56)
     */
    @Override
    void close();
}

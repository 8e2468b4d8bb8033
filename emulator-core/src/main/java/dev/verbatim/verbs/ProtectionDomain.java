// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.List;

/** A protection domain ({@code struct ibv_pd}): queue pairs can use regions and windows of the same domain only. */
public interface ProtectionDomain extends AutoCloseable {

    /** The device it belongs to. */
    Device device();

    /**
     * Registers part of a memory ({@code ibv_reg_mr}); addresses of the region are those of the memory, or start at 0
     * with {@link AccessFlags#ZERO_BASED}.
     *
     * @param offset first byte, from 0
     * @param lengthBytes from 0 (MR-30)
     * @param access {@link AccessFlags}
     * @throws VerbsException EINVAL for an unknown or illegal combination of rights (MR-01, MR-03, MR-04), a range
     *     outside the memory (MR-08) or memory that the device cannot use (MR-17); EOPNOTSUPP for a right that the
     *     device lacks (MR-05, MR-06); ENOMEM if it has no more regions (MR-16)
     */
    MemoryRegion register(Memory memory, long offset, long lengthBytes, int access);

    /** Registers a whole memory. */
    default MemoryRegion register(Memory memory, int access) {
        return register(
                memory, 0, VerbsException.requireNonNull(memory, "memory").sizeBytes(), access);
    }

    /** Registers the bytes between position and limit of a direct buffer. */
    default MemoryRegion register(ByteBuffer buffer, int access) {
        return register(Memory.of(buffer), buffer.position(), buffer.remaining(), access);
    }

    /** Registers the bytes between position and limit of a mapped file, which FLUSH can make persistent (NW-02). */
    default MemoryRegion register(MappedByteBuffer mapped, int access) {
        return register(Memory.of(mapped), mapped.position(), mapped.remaining(), access);
    }

    /**
     * Registers part of the memory of a device ({@code ibv_reg_dm_mr}); addresses of the region start at 0.
     *
     * @param offset first byte, from 0
     * @param access {@link AccessFlags}, with {@link AccessFlags#ZERO_BASED}
     * @throws VerbsException EINVAL without ZERO_BASED or for a range outside the device memory (DM-03), ENOENT if it was freed;
     *     otherwise as {@link #register(Memory, long, long, int)}
     */
    MemoryRegion register(DeviceMemory memory, int offset, int lengthBytes, int access);

    /** Registers part of a memory under addresses that start at {@code iova} ({@code ibv_reg_mr_iova}, MR-20). */
    MemoryRegion registerIova(Memory memory, long offset, long lengthBytes, long iova, int access);

    /**
     * Allocates a null region ({@code ibv_alloc_null_mr}): by its lkey elements of any address can be read, as zeros, and written, without
     * effect. It has no rkey and is neither re-registered nor bound to (MR-75, MR-76).
     *
     * @throws VerbsException EOPNOTSUPP if the device has none, ENOMEM if it has no more regions, ENOENT if the domain was freed
     */
    MemoryRegion allocateNullRegion();

    /** Advice of {@link #advise}: the pages will be read ({@code IBV_ADVISE_MR_ADVICE_PREFETCH}). */
    int ADVICE_PREFETCH = 0;

    /** Advice of {@link #advise}: the pages will be written ({@code IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE}). */
    int ADVICE_PREFETCH_WRITE = 1;

    /** Advice of {@link #advise}: present pages will be read ({@code IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT}). */
    int ADVICE_PREFETCH_NO_FAULT = 2;

    /** Flag of {@link #advise}: to return when it is done ({@code IBV_ADVISE_MR_FLAG_FLUSH}). */
    int ADVICE_FLUSH = 1;

    /**
     * Gives advice about memory with on-demand paging ({@code ibv_advise_mr}), which is checked and has no effect.
     *
     * @param advice {@link #ADVICE_PREFETCH}, {@link #ADVICE_PREFETCH_WRITE} or {@link #ADVICE_PREFETCH_NO_FAULT}
     * @param flags {@link #ADVICE_FLUSH} or 0
     * @throws VerbsException EOPNOTSUPP if the device has no on-demand paging (MR-72) or the advice is unknown; EINVAL for other flags;
     *     ENOENT if a key is not of a region with ON_DEMAND; EPERM if its region is of another domain, or is to be written and has no
     *     LOCAL_WRITE; EFAULT for bytes outside the region (MR-74)
     */
    void advise(int advice, int flags, List<Sge> elements);

    /**
     * Allocates an unbound memory window ({@code ibv_alloc_mw}, MW-04).
     *
     * @throws VerbsException EOPNOTSUPP for a type that the device lacks (MW-03), ENOMEM if it has no more windows,
     *     ENOENT if the domain was freed (PD-02)
     */
    MemoryWindow allocateWindow(MemoryWindowType type);

    /**
     * Creates an address handle ({@code ibv_create_ah}).
     *
     * @throws VerbsException EINVAL if the address vector is not legal (QV-06, QV-10), ENOMEM if the device has no
     *     more, ENOENT if the domain was freed (PD-02)
     */
    AddressHandle createAddressHandle(AddressVector addressVector);

    /**
     * Creates the address handle to answer a datagram ({@code ibv_create_ah_from_wc}).
     *
     * @param completion of the receive that took the datagram
     * @param grh the header at the start of the receive buffer
     * @param portNumber local port, from 1
     * @throws VerbsException as {@link AddressVector#toAnswer} and {@link #createAddressHandle(AddressVector)}
     */
    default AddressHandle createAddressHandle(WorkCompletion completion, Grh grh, int portNumber) {
        return createAddressHandle(AddressVector.toAnswer(device(), completion, grh, portNumber));
    }

    /**
     * Creates a shared receive queue ({@code ibv_create_srq}, {@code ibv_create_srq_ex}).
     *
     * @throws VerbsException EINVAL if something asked for is out of range or of a wrong device (SRQ-01), ENOMEM if
     *     the device has no more, ENOENT if the domain was freed (PD-02)
     */
    SharedReceiveQueue createSrq(SrqInitAttributes attributes);

    /**
     * Creates a queue pair in state RESET ({@code ibv_create_qp}). Queue pairs of type XRC_RECV are created by
     * {@link XrcDomain#createQp}.
     *
     * @throws VerbsException EINVAL if something asked for is out of range or of a wrong device (QP-02 to QP-04),
     *     EOPNOTSUPP for a type that the device lacks, ENOMEM if it has no more
     */
    QueuePair createQp(QpInitAttributes attributes);

    /**
     * Frees the domain ({@code ibv_dealloc_pd}).
     *
     * @throws VerbsException EBUSY while it has regions, windows, queue pairs, shared receive queues or address handles (PD-01), ENOENT if freed before (PD-03)
     */
    @Override
    void close();
}

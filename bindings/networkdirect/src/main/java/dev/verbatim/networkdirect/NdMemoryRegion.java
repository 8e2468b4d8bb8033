// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is registered with the adapter ({@code IND2MemoryRegion}). One object can register any number of buffers, one after
 * another. The access rights hold for every peer that has the token, over any queue pair of the adapter.
 */
public final class NdMemoryRegion extends NdOverlappedObject {

    /** The flags of a Bind that give rights. */
    static final int RIGHTS = NdOpFlags.ALLOW_READ | NdOpFlags.ALLOW_WRITE;

    /** Binds that were posted, each by the key that it will give, until they have been executed: they hold the registration, too. */
    private final Set<NdMemoryWindow.Posted> binding = new LinkedHashSet<>();

    private volatile @Nullable MemoryRegion verbs;
    private volatile int flags;

    NdMemoryRegion(NdContext context, NdOverlappedFile file) {
        super(context, file);
    }

    /**
     * Registers a range of memory. Its addresses are those of the {@link Memory}.
     *
     * @param memory that contains the range; null is INVALID_PARAMETER
     * @param offset of the first byte in {@code memory}, from 0
     * @param lengthBytes length of the range; 0 is INVALID_BUFFER_SIZE
     * @param mrFlags {@link NdMrFlags}
     * @return PENDING, or SUCCESS if the profile has no {@link NdProfile#mrAlwaysPends()}; INVALID_DEVICE_STATE if it is registered,
     *     ACCESS_VIOLATION if the range is not in the memory or cannot be used, INVALID_PARAMETER if it is too long or for unknown flags,
     *     INSUFFICIENT_RESOURCES, DEVICE_REMOVED
     */
    public NdStatus register(
            @Nullable Memory memory, long offset, long lengthBytes, int mrFlags, NdOverlapped overlapped) {
        return calls().run(() -> registerBytes(memory, offset, lengthBytes, mrFlags, overlapped));
    }

    private synchronized NdStatus registerBytes(
            @Nullable Memory memory, long offset, long lengthBytes, int mrFlags, NdOverlapped overlapped) {
        NdStatus unfit = check(memory, lengthBytes, mrFlags);
        if (!unfit.isSuccess() || memory == null) {
            return unfit;
        }
        if (lengthBytes < 0 || offset < 0 || lengthBytes > memory.sizeBytes() - offset) {
            return NdStatus.ACCESS_VIOLATION;
        }
        try {
            verbs = context().pd().register(memory, offset, lengthBytes, access(mrFlags));
        } catch (VerbsException refused) {
            return refused.errno() == Errno.EINVAL ? NdStatus.ACCESS_VIOLATION : NdStatuses.ofVerb(refused);
        }
        flags = mrFlags;
        return done(overlapped);
    }

    /** The same for the bytes between position and limit of a direct buffer; a heap buffer is ACCESS_VIOLATION. */
    public NdStatus register(ByteBuffer buffer, int mrFlags, NdOverlapped overlapped) {
        if (!buffer.isDirect()) {
            return NdStatus.ACCESS_VIOLATION;
        }
        return register(Memory.of(buffer), buffer.position(), buffer.remaining(), mrFlags, overlapped);
    }

    private NdStatus check(@Nullable Memory memory, long lengthBytes, int mrFlags) {
        boolean documented = context().profile().statuses() == NdProfile.Statuses.DOCUMENTED;
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        if (verbs != null) {
            return NdStatus.INVALID_DEVICE_STATE;
        }
        if (memory == null) {
            return documented ? NdStatus.ACCESS_VIOLATION : NdStatus.INVALID_PARAMETER;
        }
        if (lengthBytes == 0) {
            return documented ? NdStatus.ACCESS_VIOLATION : NdStatus.INVALID_BUFFER_SIZE;
        }
        boolean tooLarge = Long.compareUnsigned(lengthBytes, context().info().maxRegistrationSize()) > 0;
        return tooLarge || (mrFlags & ~NdMrFlags.ALL) != 0 ? NdStatus.INVALID_PARAMETER : NdStatus.SUCCESS;
    }

    /** Windows may be bound to every region; REMOTE_WRITE is one bit of ALLOW_REMOTE_WRITE, and the other one follows from it. */
    private int access(int mrFlags) {
        int access = AccessFlags.MW_BIND;
        boolean writable = (mrFlags & NdMrFlags.REMOTE_WRITE_BIT) != 0
                || ((mrFlags & NdMrFlags.RDMA_READ_SINK) != 0
                        && context().profile().iwarpMode());
        if ((mrFlags & NdMrFlags.ALLOW_LOCAL_WRITE) != 0 || writable) {
            access |= AccessFlags.LOCAL_WRITE;
        }
        if ((mrFlags & NdMrFlags.ALLOW_REMOTE_READ) != 0) {
            access |= AccessFlags.REMOTE_READ;
        }
        return writable ? access | AccessFlags.REMOTE_WRITE : access;
    }

    private NdStatus done(NdOverlapped overlapped) {
        if (!context().profile().mrAlwaysPends()) {
            return inline(overlapped, NdStatus.SUCCESS);
        }
        NdStatus status = begin(overlapped);
        finish(overlapped, NdStatus.SUCCESS);
        return status;
    }

    /**
     * Ends the registration.
     *
     * @return PENDING or SUCCESS as of {@link #register}; DEVICE_BUSY while windows are bound to it or Binds are outstanding, and it
     *     stays registered; INVALID_DEVICE_STATE if it is not registered
     */
    public NdStatus deregister(NdOverlapped overlapped) {
        return calls().run(() -> endRegistration(overlapped));
    }

    private synchronized NdStatus endRegistration(NdOverlapped overlapped) {
        if (isReleased()) {
            return NdStatus.INVALID_HANDLE;
        }
        MemoryRegion region = verbs;
        if (region == null) {
            return NdStatus.INVALID_DEVICE_STATE;
        }
        if (isBeingBound()) {
            return NdStatus.DEVICE_BUSY;
        }
        try {
            region.close();
        } catch (VerbsException refused) {
            return NdStatuses.ofVerb(refused);
        }
        verbs = null;
        return done(overlapped);
    }

    /** The token for local scatter/gather elements; 0 while nothing is registered. */
    public int getLocalToken() {
        MemoryRegion region = verbs();
        return region == null ? 0 : region.lkey();
    }

    /** The token for peers, in network byte order; 0 while nothing is registered, and if the region has no remote rights. */
    public int getRemoteToken() {
        MemoryRegion region = verbs();
        return region == null ? 0 : NdToken.fromRkey(region.rkey());
    }

    /**
     * The address of a byte of the registered range, for elements, Binds and peers.
     *
     * @throws IllegalStateException if nothing is registered
     */
    public long addressOf(long offset) {
        return registered().address() + offset;
    }

    /** A part of the registered range as a scatter/gather element; the range is checked when the element is used. */
    public NdSge sge(long offset, int lengthBytes) {
        return new NdSge(addressOf(offset), lengthBytes, getLocalToken());
    }

    private MemoryRegion registered() {
        MemoryRegion region = verbs();
        if (region == null) {
            throw new IllegalStateException("the region is not registered; register memory first");
        }
        return region;
    }

    @Nullable
    MemoryRegion verbs() {
        calls().touched();
        return verbs;
    }

    /** Whether these bytes can be bound with these rights: SUCCESS, or why not. */
    NdStatus checkBind(long address, long lengthBytes, int flags) {
        NdProfile profile = context().profile();
        if (verbs() == null) {
            return profile.statuses() == NdProfile.Statuses.DOCUMENTED
                    ? NdStatus.ACCESS_VIOLATION
                    : NdStatus.INVALID_PARAMETER;
        }
        if ((flags & RIGHTS) == 0 && !profile.allowBindWithoutRights()) {
            return NdStatus.INVALID_PARAMETER_6;
        }
        if (lengthBytes == 0 && profile.emptyBindRefusedAtPost()) {
            return NdStatus.INVALID_PARAMETER_5;
        }
        if (!covers(address, lengthBytes)) {
            return NdStatus.INVALID_PARAMETER;
        }
        boolean writes = (flags & NdOpFlags.ALLOW_WRITE) != 0;
        return writes && !isLocallyWritable() ? NdStatus.ACCESS_VIOLATION : NdStatus.SUCCESS;
    }

    /** The access rights that a Bind with these flags gives. */
    static int accessOfBind(int flags) {
        int access = 0;
        if ((flags & NdOpFlags.ALLOW_READ) != 0) {
            access |= AccessFlags.REMOTE_READ;
        }
        if ((flags & NdOpFlags.ALLOW_WRITE) != 0) {
            access |= AccessFlags.REMOTE_WRITE;
        }
        return access;
    }

    private boolean isLocallyWritable() {
        return (flags & (NdMrFlags.ALLOW_LOCAL_WRITE | NdMrFlags.REMOTE_WRITE_BIT)) != 0;
    }

    /** Whether all these bytes are registered; safe against addresses that wrap. */
    private boolean covers(long address, long lengthBytes) {
        MemoryRegion region = verbs;
        if (region == null) {
            return false;
        }
        long offset = address - region.address();
        return Long.compareUnsigned(offset, region.lengthBytes()) <= 0
                && Long.compareUnsigned(lengthBytes, region.lengthBytes() - offset) <= 0;
    }

    /** A Bind to it was posted. */
    synchronized void bindPosted(NdMemoryWindow.Posted bind) {
        binding.removeIf(NdMemoryWindow.Posted::isSettled);
        binding.add(bind);
    }

    /** It was not posted after all. */
    synchronized void bindRefused(NdMemoryWindow.Posted bind) {
        binding.remove(bind);
    }

    private boolean isBeingBound() {
        binding.removeIf(NdMemoryWindow.Posted::isSettled);
        return !binding.isEmpty();
    }

    @Override
    void end() {
        finishAll(NdStatus.CANCELED);
        MemoryRegion region = verbs;
        if (region != null) {
            context().closeWhenUnused(() -> closeUnlessBinding(region));
        }
    }

    private synchronized void closeUnlessBinding(MemoryRegion region) {
        if (isBeingBound()) {
            throw VerbsException.of(Errno.EBUSY, Rule.MR_50, "Binds to the region are under way");
        }
        region.close();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_mr;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryRegion;

/** A {@code struct ibv_mr}. */
public final class Mr extends Struct {

    /** All regions. */
    public static final Table<Mr> TABLE = new Table<>(ibv_mr.context, ibv_mr.handle, "ibv_mr");

    private final MemoryRegion region;

    private final boolean isImported;

    /** Where its memory begins in the program, and how long it is, if that is watched; 0 otherwise. */
    private long watched;

    private long watchedBytes;

    Mr(Pd pd, MemoryRegion region, long address, long lengthBytes) {
        this(pd, region, address, lengthBytes, false);
    }

    private Mr(Pd pd, MemoryRegion region, long address, long lengthBytes, boolean isImported) {
        super(ibv_mr.SIZE);
        this.region = region;
        this.isImported = isImported;
        ibv_mr.context.set(address(), pd.context().address());
        ibv_mr.pd.set(address(), pd.address());
        describe(address, lengthBytes);
        TABLE.add(this);
    }

    /** The same region, by a struct of another context; where its memory is in the program is not told. */
    static Mr imported(Pd pd, int handle) {
        Mr original = TABLE.withHandle(handle);
        if (!original.region.pd().equals(pd.domain())) {
            throw new Refused(Errno.ENOENT.number(), "the region is of another protection domain");
        }
        return new Mr(pd, original.region, 0, original.region.lengthBytes(), true);
    }

    /** Says in the struct where the memory is, and its keys. */
    void describe(long address, long lengthBytes) {
        FreedMemory.forget(watched, watchedBytes);
        watched = isImported || (region.access() & AccessFlags.ON_DEMAND) != 0 ? 0 : address;
        watchedBytes = lengthBytes;
        FreedMemory.watch(watched, watchedBytes);
        ibv_mr.addr.set(address(), address);
        ibv_mr.length.set(address(), lengthBytes);
        ibv_mr.lkey.set(address(), region.lkey());
        ibv_mr.rkey.set(address(), region.rkey());
    }

    public MemoryRegion region() {
        return region;
    }

    /** Deregisters the region, unless it is another's. */
    void close() {
        if (!isImported) {
            region.close();
        }
        forget();
    }

    /** Frees the struct; the region stays. */
    void forget() {
        FreedMemory.forget(watched, watchedBytes);
        TABLE.remove(this);
    }
}

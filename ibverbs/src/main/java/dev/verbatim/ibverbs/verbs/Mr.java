// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_mr;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.MemoryRegion;

/** A {@code struct ibv_mr}. */
public final class Mr extends Struct {

    /** All regions. */
    public static final Table<Mr> TABLE = new Table<>(ibv_mr.handle, "ibv_mr");

    private final MemoryRegion region;

    Mr(Pd pd, MemoryRegion region, long address, long lengthBytes) {
        super(ibv_mr.SIZE);
        this.region = region;
        ibv_mr.context.set(address(), pd.context().address());
        ibv_mr.pd.set(address(), pd.address());
        describe(address, lengthBytes);
        TABLE.add(this);
    }

    /** Says in the struct where the memory is, and its keys. */
    void describe(long address, long lengthBytes) {
        ibv_mr.addr.set(address(), address);
        ibv_mr.length.set(address(), lengthBytes);
        ibv_mr.lkey.set(address(), region.lkey());
        ibv_mr.rkey.set(address(), region.rkey());
    }

    public MemoryRegion region() {
        return region;
    }
}

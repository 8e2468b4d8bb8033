// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_ah;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.AddressHandle;

/** A {@code struct ibv_ah}. */
public final class Ah extends Struct {

    /** All address handles. */
    public static final Table<Ah> TABLE = new Table<>(ibv_ah.context, ibv_ah.handle, "ibv_ah");

    private final AddressHandle handle;

    Ah(Pd pd, AddressHandle handle) {
        super(ibv_ah.SIZE);
        this.handle = handle;
        ibv_ah.context.set(address(), pd.context().address());
        ibv_ah.pd.set(address(), pd.address());
        TABLE.add(this);
    }

    AddressHandle handle() {
        return handle;
    }
}

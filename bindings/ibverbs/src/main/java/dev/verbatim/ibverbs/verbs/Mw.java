// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_mw;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.MemoryWindow;

/** A {@code struct ibv_mw}. */
final class Mw extends Struct {

    static final Table<Mw> TABLE = new Table<>(ibv_mw.context, ibv_mw.handle, "ibv_mw");

    private final MemoryWindow window;

    Mw(Pd pd, MemoryWindow window) {
        super(ibv_mw.SIZE);
        this.window = window;
        ibv_mw.context.set(address(), pd.context().address());
        ibv_mw.pd.set(address(), pd.address());
        ibv_mw.rkey.set(address(), window.rkey());
        ibv_mw.type.set(address(), window.type().number());
        TABLE.add(this);
    }

    MemoryWindow window() {
        return window;
    }
}

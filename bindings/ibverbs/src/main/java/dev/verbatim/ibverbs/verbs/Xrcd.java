// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.ibv_xrcd;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.XrcDomain;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A {@code struct ibv_xrcd}, of which the first member alone is public. */
final class Xrcd extends Struct {

    static final Table<Xrcd> TABLE = new Table<>(ibv_xrcd.context, new Field.I32(ibv_xrcd.SIZE), "ibv_xrcd");

    private final XrcDomain domain;
    private final List<QueuePair> targets = new CopyOnWriteArrayList<>();

    Xrcd(Context context, XrcDomain domain) {
        super(ibv_xrcd.SIZE + Long.BYTES);
        this.domain = domain;
        ibv_xrcd.context.set(address(), context.address());
        TABLE.add(this);
    }

    XrcDomain domain() {
        return domain;
    }

    /** The receiving queue pairs that were created in it, which other processes' code may open by number. */
    List<QueuePair> targets() {
        return targets;
    }
}

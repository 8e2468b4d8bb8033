// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.ibv_td;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.Errno;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@code struct ibv_td}, of which the first member alone is public: objects that one thread uses. The device locks no less for it. */
final class Td extends Struct {

    static final Table<Td> TABLE = new Table<>(new Field.I32(ibv_td.SIZE), "ibv_td");

    private final AtomicInteger users = new AtomicInteger();

    Td(Context context) {
        super(ibv_td.SIZE + Long.BYTES);
        Native.putLong(address(), context.address());
        TABLE.add(this);
    }

    /** Parent domains that have it. */
    AtomicInteger users() {
        return users;
    }

    void close() {
        if (users.get() > 0) {
            throw new Refused(Errno.EBUSY.number(), "parent domains have the thread domain");
        }
        TABLE.remove(this);
    }
}

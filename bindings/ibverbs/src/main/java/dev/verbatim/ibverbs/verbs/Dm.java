// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_dm;
import dev.verbatim.ibverbs.call.Library;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.DeviceMemory;
import dev.verbatim.verbs.Errno;

/** A {@code struct ibv_dm}, which has the functions that copy. */
final class Dm extends Struct {

    static final Table<Dm> TABLE = new Table<>(ibv_dm.context, ibv_dm.handle, "ibv_dm");

    private final DeviceMemory memory;
    private final Context context;
    private final boolean isImported;

    Dm(Context context, DeviceMemory memory) {
        this(context, memory, false);
    }

    private Dm(Context context, DeviceMemory memory, boolean isImported) {
        super(ibv_dm.SIZE);
        this.memory = memory;
        this.context = context;
        this.isImported = isImported;
        ibv_dm.context.set(address(), context.address());
        ibv_dm.memcpy_to_dm.set(address(), Library.pointerTo("op_memcpy_to_dm"));
        ibv_dm.memcpy_from_dm.set(address(), Library.pointerTo("op_memcpy_from_dm"));
        TABLE.add(this);
    }

    /** The same memory, by a struct of another context. */
    static Dm imported(Context context, int handle) {
        Dm original = TABLE.withHandle(handle);
        if (!original.context.device().equals(context.device())) {
            throw new Refused(Errno.ENOENT.number(), "the device memory is of another device");
        }
        return new Dm(context, original.memory, true);
    }

    DeviceMemory memory() {
        return memory;
    }

    void close() {
        if (!isImported) {
            memory.close();
        }
        forget();
    }

    /** Frees the struct; the memory stays. */
    void forget() {
        TABLE.remove(this);
    }
}

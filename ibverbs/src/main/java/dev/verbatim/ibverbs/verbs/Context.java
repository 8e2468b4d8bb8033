// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_context;
import dev.verbatim.ibverbs.abi.Layouts.ibv_context_ops;
import dev.verbatim.ibverbs.abi.Layouts.verbs_context;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Library;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.place.Adapter;
import dev.verbatim.ibverbs.wait.Signal;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a program gets of {@code ibv_open_device}: a {@code struct verbs_context}, of which it knows the {@code struct ibv_context} at
 * the end. Its members are functions: those that a program calls through the struct.
 */
public final class Context {

    /** The open ones, by the address that programs have. */
    public static final Contexts TABLE = new Contexts();

    /** The functions of {@code struct ibv_context_ops} that programs call, by their fields. */
    private static final Map<Integer, String> OPERATIONS = Map.of(
            ibv_context_ops.alloc_mw.offset(), "op_alloc_mw",
            ibv_context_ops.poll_cq.offset(), "op_poll_cq");

    private final Adapter adapter;
    private final Device device;
    private final Signal asyncEvents = new Signal();
    private final long verbs = Native.allocate(verbs_context.SIZE);

    Context(Adapter adapter) {
        this.adapter = adapter;
        this.device = adapter.device();
        long context = address();
        verbs_context.sz.set(verbs, verbs_context.SIZE);
        ibv_context.device.set(context, adapter.struct());
        ibv_context.abi_compat.set(context, -1);
        ibv_context.async_fd.set(context, asyncEvents.descriptor());
        ibv_context.cmd_fd.set(context, asyncEvents.descriptor());
        ibv_context.num_comp_vectors.set(context, device.query().completionVectors());
        OPERATIONS.forEach((field, operation) ->
                Native.putLong(ibv_context.ops.of(context) + field, Library.pointerTo(operation)));
        TABLE.add(this);
    }

    /** Address of the {@code struct ibv_context}. */
    public long address() {
        return verbs_context.context.of(verbs);
    }

    public Adapter adapter() {
        return adapter;
    }

    public Device device() {
        return device;
    }

    void close() {
        TABLE.remove(this);
        asyncEvents.close();
        Native.free(verbs);
    }

    /** The open contexts. */
    public static final class Contexts {

        private final Map<Long, Context> byAddress = new ConcurrentHashMap<>();

        private void add(Context context) {
            byAddress.put(context.address(), context);
        }

        private void remove(Context context) {
            byAddress.remove(context.address());
        }

        /**
         * The context at an address.
         *
         * @throws Refused EINVAL if there is none
         */
        public Context at(long address) {
            Context context = byAddress.get(address);
            if (context == null) {
                throw new Refused(Errno.EINVAL.number(), String.format("no context is open at 0x%x", address));
            }
            return context;
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_context;
import dev.verbatim.ibverbs.abi.Layouts.ibv_context_ops;
import dev.verbatim.ibverbs.abi.Layouts.verbs_context;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.lab.Lab;
import dev.verbatim.ibverbs.place.Adapter;
import dev.verbatim.ibverbs.place.GidTable;
import dev.verbatim.ibverbs.wait.Signal;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What a program gets of {@code ibv_open_device}: a {@code struct verbs_context}, of which it knows the {@code struct ibv_context} at
 * the end. Its members are the functions that a program calls through the struct.
 */
public final class Context {

    /** The open ones, by the address that programs have. */
    public static final Contexts TABLE = new Contexts();

    private static final FunctionTable OPERATIONS = new FunctionTable()
            .with(ibv_context_ops.alloc_mw, "op_alloc_mw")
            .with(ibv_context_ops.bind_mw, "op_bind_mw")
            .with(ibv_context_ops.dealloc_mw, "op_dealloc_mw")
            .with(ibv_context_ops.poll_cq, "op_poll_cq")
            .with(ibv_context_ops.req_notify_cq, "op_req_notify_cq")
            .with(ibv_context_ops.post_srq_recv, "op_post_srq_recv")
            .with(ibv_context_ops.post_send, "op_post_send")
            .with(ibv_context_ops.post_recv, "op_post_recv");

    private static final FunctionTable EXTENDED = new FunctionTable()
            .with(verbs_context.query_port, "op_query_port")
            .with(verbs_context.advise_mr, "op_advise_mr")
            .with(verbs_context.alloc_null_mr, "op_alloc_null_mr")
            .with(verbs_context.reg_dm_mr, "op_reg_dm_mr")
            .with(verbs_context.alloc_dm, "op_alloc_dm")
            .with(verbs_context.free_dm, "op_free_dm")
            .with(verbs_context.modify_qp_rate_limit, "op_modify_qp_rate_limit")
            .with(verbs_context.alloc_parent_domain, "op_alloc_parent_domain")
            .with(verbs_context.dealloc_td, "op_dealloc_td")
            .with(verbs_context.alloc_td, "op_alloc_td")
            .with(verbs_context.modify_cq, "op_modify_cq")
            .with(verbs_context.query_rt_values, "op_query_rt_values")
            .with(verbs_context.create_cq_ex, "op_create_cq_ex")
            .with(verbs_context.query_device_ex, "op_query_device_ex")
            .with(verbs_context.open_qp, "op_open_qp")
            .with(verbs_context.create_qp_ex, "op_create_qp_ex")
            .with(verbs_context.get_srq_num, "op_get_srq_num")
            .with(verbs_context.create_srq_ex, "op_create_srq_ex")
            .with(verbs_context.open_xrcd, "op_open_xrcd")
            .with(verbs_context.close_xrcd, "op_close_xrcd");

    static {
        // Inline data may be anywhere: the program vouches for its addresses, as it does with an adapter.
        AddressSpace.current().foreign((address, lengthBytes, target, offset) -> {
            Native.copyTo(address, lengthBytes, target, offset);
            return true;
        });
        if (Lab.ON) {
            Lab.countBy(Population::of);
        }
        Standing.watch();
    }

    private final Adapter adapter;
    private final Device device;
    private final Signal asyncEvents = new Signal();

    /** How often the descriptor of asynchronous events can be read. */
    private final AtomicInteger told = new AtomicInteger();

    /** Events that were taken from the device for this context, and not fetched. Guarded by {@link AsyncEvents}. */
    private final ArrayDeque<AsyncEvent> events = new ArrayDeque<>();

    /** What {@code ibv_import_device} knows the context by. */
    private final int commands;

    private final long verbs = Native.allocate(verbs_context.SIZE);

    /** Opens a context of an adapter. */
    public Context(Adapter adapter) {
        this(adapter, Native.eventfd(0, Native.EFD_CLOEXEC));
    }

    /** With the descriptor of commands, which this closes. */
    private Context(Adapter adapter, int commands) {
        this.commands = commands;
        this.adapter = adapter;
        this.device = adapter.device();
        long context = address();
        verbs_context.sz.set(verbs, verbs_context.SIZE);
        ibv_context.device.set(context, adapter.struct());
        ibv_context.abi_compat.set(context, -1);
        ibv_context.async_fd.set(context, asyncEvents.descriptor());
        ibv_context.cmd_fd.set(context, commands);
        ibv_context.num_comp_vectors.set(context, device.query().completionVectors());
        OPERATIONS.fill(ibv_context.ops.of(context));
        EXTENDED.fill(verbs);
        TABLE.add(this);
        device.onAsyncEvent(() -> AsyncEvents.raised(adapter), () -> AsyncEvents.dropped(adapter));
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

    /**
     * The entry of the GID table of a port; null if it is empty.
     *
     * @throws Refused EINVAL if the port has no such index
     */
    GidTable.@Nullable Entry gidAt(int port, int index) {
        Gid unused = device.queryGid(port, 0);
        GidTable table = adapter.gids(port);
        if (index < 0 || index >= table.size()) {
            throw new Refused(Errno.EINVAL.number(), "gid_index=" + index + " is not in 0.." + (table.size() - 1));
        }
        return table.at(index);
    }

    /**
     * Another context of the device whose descriptor of commands was duplicated.
     *
     * @param descriptor the duplicate, which this closes
     * @throws Refused EBADF if it is none of this process
     */
    static Context imported(int descriptor) {
        String id = idOf(descriptor);
        for (Context each : TABLE.all()) {
            if (id.equals(idOf(each.commands))) {
                return new Context(each.adapter, descriptor);
            }
        }
        throw new Refused(Refused.EBADF, "cmd_fd=" + descriptor + " is of no context of this process");
    }

    /** The line of proc(5) that tells eventfds apart. */
    private static String idOf(int descriptor) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/fdinfo/" + descriptor))) {
                if (line.startsWith("eventfd-id:")) {
                    return line;
                }
            }
        } catch (IOException e) {
            throw new Refused(Refused.EBADF, "fd=" + descriptor + " is not open");
        }
        return "";
    }

    Deque<AsyncEvent> events() {
        return events;
    }

    /** Makes the descriptor readable once more. */
    void tellOfEvent() {
        told.incrementAndGet();
        asyncEvents.raise();
    }

    /** Makes the descriptor readable as often as there are events. */
    void tellOfEvents() {
        while (told.get() < events.size()) {
            tellOfEvent();
        }
    }

    /** An event that the descriptor told of is gone. */
    void tellOfDrop() {
        if (asyncEvents.lower()) {
            told.decrementAndGet();
        }
    }

    /** The descriptor was read once. */
    void signalTaken() {
        told.decrementAndGet();
    }

    /** Closes the context, and destroys what the program left. */
    void close() {
        AsyncEvents.forget(this);
        Leftovers.destroy(address());
        TABLE.remove(this);
        int unused = Native.close(commands);
        asyncEvents.close();
        Native.free(verbs);
    }

    /** The open contexts. */
    public static final class Contexts {

        private final Map<Long, Context> byAddress = new ConcurrentHashMap<>();

        private void add(Context context) {
            byAddress.put(context.address(), context);
        }

        List<Context> all() {
            return List.copyOf(byAddress.values());
        }

        /** Those of an adapter. */
        List<Context> of(Adapter adapter) {
            List<Context> own = new ArrayList<>(1);
            for (Context context : byAddress.values()) {
                if (context.adapter == adapter) {
                    own.add(context);
                }
            }
            return own;
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

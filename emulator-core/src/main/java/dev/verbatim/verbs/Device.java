// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An open RDMA device ({@code struct ibv_context}): everything else is made from it. Any thread may use it. */
public interface Device extends AutoCloseable {

    /** Name for messages and traces. */
    String name();

    /** Limits and capabilities ({@code ibv_query_device}). */
    DeviceAttributes query();

    /**
     * State of a port ({@code ibv_query_port}).
     *
     * @throws VerbsException EINVAL if there is no such port
     */
    PortAttributes queryPort(int portNumber);

    /** GID of port 1, index 0: what peers put into their address vectors. */
    Gid gid();

    /**
     * An entry of the GID table ({@code ibv_query_gid}).
     *
     * @throws VerbsException EINVAL if there is no such port or entry
     */
    Gid queryGid(int portNumber, int index);

    /**
     * An entry of the partition key table ({@code ibv_query_pkey}).
     *
     * @throws VerbsException EINVAL if there is no such port or entry
     */
    int queryPkey(int portNumber, int index);

    /**
     * Makes a protection domain ({@code ibv_alloc_pd}).
     *
     * @throws VerbsException ENOMEM if the device has no more
     */
    ProtectionDomain allocatePd();

    /** Makes a completion channel ({@code ibv_create_comp_channel}). */
    CompletionChannel createCompletionChannel();

    /**
     * A completion queue without a channel: programs poll it.
     *
     * @param entries room for so many completions that nobody has polled, from 1 to max_cqe; a completion that finds none breaks
     *     the queue and all that use it (CQ-03)
     * @throws VerbsException EINVAL if {@code entries} is out of range (CQ-01), ENOMEM if the device has no more, EIO if it has failed
     */
    default CompletionQueue createCq(int entries) {
        return createCq(entries, null, null, 0);
    }

    /**
     * Makes a completion queue ({@code ibv_create_cq}).
     *
     * @param entries room asked for, from 1; the granted room is at least as large
     * @param context the caller's own object, given back with each completion event
     * @param channel where completion events go; null for none
     * @param completionVector from 0
     * @throws VerbsException EINVAL if a number is out of range (CQ-01), ENOMEM if the device has no more
     */
    CompletionQueue createCq(
            int entries, @Nullable Object context, @Nullable CompletionChannel channel, int completionVector);

    /**
     * Opens an XRC domain of its own ({@code ibv_open_xrcd} without a file).
     *
     * @throws VerbsException ENOMEM if the device has no more
     */
    XrcDomain openXrcDomain();

    /**
     * Opens the XRC domain of that name, the same for all who do; the first makes it ({@code ibv_open_xrcd} with a file that several
     * share).
     *
     * @throws VerbsException ENOMEM if the device has no more
     */
    XrcDomain openXrcDomain(String name);

    /** The next asynchronous event if there is one; never waits. */
    @Nullable
    AsyncEvent pollAsyncEvent();

    /**
     * Waits for the next asynchronous event ({@code ibv_get_async_event}).
     *
     * @throws VerbsException ETIMEDOUT if none came within {@code patience}, EINTR if the thread was interrupted, EINVAL if the
     *     device was closed meanwhile, EDEADLK if time is simulated and nothing is left to happen
     */
    AsyncEvent getAsyncEvent(Duration patience);

    /**
     * Lets an event happen that no traffic brings about, for tests of the programs that have to live with it: those of the port
     * (AE-11; PORT_ERR and PORT_ACTIVE change its state, too, and raise nothing if it has that state), and DEVICE_FATAL (AE-12):
     * from then on every queue pair is in ERR, its oldest request fails with FATAL_ERR, the others are flushed, and verbs are
     * refused with EIO, but for those that poll what has completed, read and acknowledge events, and destroy.
     *
     * @throws VerbsException EINVAL if the event is about something that has to give cause for it; EIO if the device is dead
     */
    void inject(EventType type);

    /**
     * Completions that failed and that nobody polled, for tests: those that wait in completion queues, and the oldest 64 of those that
     * were dropped with their queue pair or queue. WR_FLUSH_ERR is left out: it only says that the queue pair had failed before, or
     * was made to. They stay where they are, and can be asked for when the device is closed, too.
     *
     * @return copies; a failed completion has an {@linkplain WorkCompletion#explanation explanation}
     */
    List<WorkCompletion> unpolledFailures();

    /**
     * Closes the device ({@code ibv_close_device}).
     *
     * @throws VerbsException EBUSY while it has children (PD-07), ENOENT if closed before
     */
    @Override
    void close();

    /** Destroys whatever is left on the device, in an order that works, and closes it; nothing happens if it is closed. */
    void closeAll();
}

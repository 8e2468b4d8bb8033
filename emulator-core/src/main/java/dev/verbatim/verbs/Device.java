// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An open RDMA device ({@code struct ibv_context}). All other objects are created from it. Thread-safe. */
public interface Device extends AutoCloseable {

    /** Name for messages and traces. */
    String name();

    /** Limits and capabilities ({@code ibv_query_device}). */
    DeviceAttributes query();

    /** Further limits and capabilities ({@code ibv_query_device_ex}). */
    ExtendedDeviceAttributes queryExtended();

    /**
     * State of a port ({@code ibv_query_port}).
     *
     * @throws VerbsException EINVAL if there is no such port
     */
    PortAttributes queryPort(int portNumber);

    /** GID of port 1, index 0: what peers put into their address vectors. */
    Gid gid();

    /** The GIDs of all ports at index 0, in the order of their numbers. */
    default List<Gid> gids() {
        return List.of(gid());
    }

    /**
     * An entry of the GID table ({@code ibv_query_gid}).
     *
     * @throws VerbsException EINVAL if there is no such port or entry
     */
    Gid queryGid(int portNumber, int index);

    /**
     * The GID of the port that has a local identifier, for programs that exchange LIDs: an address vector here is global and has the GID
     * (QV-10). Whether there is a device is not known.
     *
     * @param lid local identifier, from {@link PortAttributes#lid}
     * @throws VerbsException EINVAL if the device's port has no LID, or the LID is not in 1 to 0xbfff
     */
    Gid gidOfLid(int lid);

    /**
     * An entry of the partition key table ({@code ibv_query_pkey}).
     *
     * @throws VerbsException EINVAL if there is no such port or entry
     */
    int queryPkey(int portNumber, int index);

    /**
     * Allocates a protection domain ({@code ibv_alloc_pd}).
     *
     * @throws VerbsException ENOMEM if the device has no more
     */
    ProtectionDomain allocatePd();

    /**
     * Allocates memory of the device, which holds zeros ({@code ibv_alloc_dm}).
     *
     * @param lengthBytes from 1 to max_dm_size
     * @param logAlignment binary logarithm of the alignment of its first byte, 0 to 12
     * @throws VerbsException EOPNOTSUPP if the device has no memory, EINVAL if a number is out of range, ENOMEM if less than that is
     *     left (DM-01)
     */
    DeviceMemory allocateDeviceMemory(long lengthBytes, int logAlignment);

    /** Creates a completion channel ({@code ibv_create_comp_channel}). */
    CompletionChannel createCompletionChannel();

    /**
     * Creates a completion queue without a channel.
     *
     * @param entries number of unpolled completions that the queue can hold, from 1 to max_cqe; an overrun breaks
     *     the queue and its queue pairs (CQ-03)
     * @throws VerbsException EINVAL if {@code entries} is out of range (CQ-01), ENOMEM if the device has no more,
     *     EIO if it has failed
     */
    default CompletionQueue createCq(int entries) {
        return createCq(entries, null, null, 0);
    }

    /**
     * Creates a completion queue ({@code ibv_create_cq}).
     *
     * @param entries requested size, from 1; the granted size is at least as large
     * @param context context object of the caller, available from each completion event
     * @param channel channel of its completion events; null for none
     * @param completionVector from 0
     * @throws VerbsException EINVAL if a number is out of range (CQ-01), ENOMEM if the device has no more
     */
    default CompletionQueue createCq(
            int entries, @Nullable Object context, @Nullable CompletionChannel channel, int completionVector) {
        return createCq(entries, context, channel, completionVector, 0);
    }

    /**
     * Creates a completion queue ({@code ibv_create_cq_ex}).
     *
     * @param fields what completions have beside the fields of {@code struct ibv_wc}: {@link CompletionQueue#WITH_TIMESTAMP} or 0
     * @throws VerbsException as {@link #createCq(int, Object, CompletionChannel, int)}; EOPNOTSUPP for other fields (CQ-06)
     */
    CompletionQueue createCq(
            int entries,
            @Nullable Object context,
            @Nullable CompletionChannel channel,
            int completionVector,
            int fields);

    /**
     * The time of the device's clock in nanoseconds ({@code ibv_query_rt_values_ex}): that of completion timestamps (CQ-06).
     * Simulated devices have a virtual clock.
     */
    long clockNanos();

    /**
     * The time of day at which the device's clock had or will have a time, such as a completion timestamp, in nanoseconds since
     * 1970-01-01T00:00Z ({@code ibv_wc_read_completion_wallclock_ns}). Simulated time begins with 0. Changes of the system's time
     * since the device was opened are not followed.
     */
    long wallClockNanos(long clockNanos);

    /**
     * Opens a new XRC domain ({@code ibv_open_xrcd} without a file).
     *
     * @throws VerbsException ENOMEM if the device has no more
     */
    XrcDomain openXrcDomain();

    /**
     * Opens the XRC domain with a given name, which is shared by all callers; creates it if it does not exist
     * ({@code ibv_open_xrcd} with a shared file).
     *
     * @throws VerbsException ENOMEM if the device has no more
     */
    XrcDomain openXrcDomain(String name);

    /** Returns the next asynchronous event, or null if there is none; never waits. */
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
     * Whether {@link #pollAsyncEvent} returns an event or throws ({@code poll} of {@code async_fd}). Does not make the device progress.
     */
    boolean hasAsyncEvent();

    /**
     * Sets a callback that is called once for each asynchronous event that is added, and here at once for each that waits already; as
     * {@link CompletionChannel#onReady(Runnable)} otherwise. Events of an object that is destroyed go unfetched, so fewer can be fetched than
     * were told of.
     *
     * @param callback null removes it
     * @throws VerbsException EINVAL if the device was closed, unless the callback is null
     */
    void onAsyncEvent(@Nullable Runnable callback);

    /** As {@link #onAsyncEvent(Runnable)}, with a callback as that of {@link CompletionChannel#onReady(Runnable, Runnable)}. */
    void onAsyncEvent(@Nullable Runnable added, Runnable dropped);

    /** Injects an event, of port 1 if it is one of a port; otherwise as {@link #inject(EventType, int)}. */
    default void inject(EventType type) {
        inject(type, 1);
    }

    /**
     * Injects an event that traffic does not cause, for tests of programs that must handle it. Events of the port
     * (AE-11): PORT_ERR takes the carrier of the port away, as who unplugs a cable, and PORT_ACTIVE brings it back; both change the state
     * of the port, and raise nothing if the port is in that state. Without its carrier a port sends and receives nothing (QP-29); over
     * TCP its connections end. DEVICE_FATAL (AE-12): every queue pair changes to ERR, its oldest request fails with FATAL_ERR and the
     * others are flushed; then all verbs fail with EIO except those that poll completions, read and acknowledge events,
     * and destroy objects.
     *
     * @param portNumber the port, from 1; of no concern for DEVICE_FATAL
     * @throws VerbsException EINVAL for events that need a cause in an object, and if there is no such port; EIO if the device has failed
     */
    void inject(EventType type, int portNumber);

    /** Changes what port 1 says of its link; otherwise as {@link #changeLink(int, PathMtu, LinkWidth, LinkSpeed)}. */
    default void changeLink(PathMtu activeMtu, LinkWidth activeWidth, LinkSpeed activeSpeed) {
        changeLink(1, activeMtu, activeWidth, activeSpeed);
    }

    /**
     * Changes what a port says of its link, for tests of programs that look at it. The active MTU stays what the profile and the
     * carrier permit if that is less; it bounds the path MTU of queue pairs that change to RTR from now on (QV-02), and others keep
     * theirs. Width and speed are only said: no fabric has a rate. Raises no event.
     *
     * @param portNumber the port, from 1
     * @throws VerbsException EINVAL if there is no such port or the device was closed, EIO if it has failed
     */
    void changeLink(int portNumber, PathMtu activeMtu, LinkWidth activeWidth, LinkSpeed activeSpeed);

    /**
     * Returns failed completions that were never polled, for tests: those in completion queues, and the oldest 64 of
     * those that were dropped with their queue pair or completion queue. WR_FLUSH_ERR is not included, because it only
     * follows an earlier failure or change to ERR. The completions stay in their queues. Can also be called after the
     * device was closed.
     *
     * @return copies; a failed completion has an {@linkplain WorkCompletion#explanation explanation}
     */
    List<WorkCompletion> unpolledFailures();

    /**
     * What the device has counted so far, as {@code rdma statistic} shows it; of a closed device what it had counted when it was
     * closed. A device that counts nothing, as another provider's may, has none: an empty map.
     *
     * @return all counters at one moment, in the order of the enum
     */
    default Map<DeviceCounter, Long> counters() {
        return Map.of();
    }

    /**
     * What does not get on at this moment, the most urgent first: to be told when nothing has happened for a while. At most so many that
     * one can read them.
     */
    default List<Standstill> standstills() {
        return List.of();
    }

    /**
     * The packets that were dropped without an answer so far, or could not leave the device: datagrams that do not fit, packets for
     * queue pairs that are not there or do not receive, and their like. At most 64 kinds, each with its count.
     */
    default List<DroppedPackets> droppedPackets() {
        return List.of();
    }

    /** A number that is another one whenever requests, messages or completions got on since it was asked for last. Looks at every queue pair. */
    default long progress() {
        return 0;
    }

    /**
     * Closes the device ({@code ibv_close_device}).
     *
     * @throws VerbsException EBUSY while it has children (PD-07), ENOENT if closed before
     */
    @Override
    void close();

    /** Destroys all objects of the device, in a valid order, and closes it. Does nothing if it is closed. */
    void closeAll();
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.protocol.CmAgent;
import dev.verbatim.cm.protocol.CmContext;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The events of identifiers of one port of a device, in the order in which they happened ({@code struct rdma_event_channel}). Any thread may fetch
 * them.
 *
 * <p>Fetching an event does work, as with {@code librdmacm}: fetching the peer's answer takes the queue pair to RTS and confirms the
 * connection to the peer, and fetching REJECTED takes the queue pair to ERR (CM-06). An application that fetches no events is not
 * connected.
 */
public final class EventChannel implements AutoCloseable {

    private final Device device;
    private final CmOptions options;
    private final CmAgent agent;
    private final CmContext cm;
    private final ManagementPort port;
    private final EventQueue events;
    private int identifiers;

    private EventChannel(Device device, CmOptions options, CmAgent agent) {
        this.device = device;
        this.options = options;
        this.agent = agent;
        this.cm = agent.context();
        this.port = cm.port();
        this.events = new EventQueue(cm);
        agent.addChannel(events);
    }

    /** A channel with the usual timers and limits. */
    public static EventChannel open(Device device) {
        return open(device, CmOptions.USUAL);
    }

    /**
     * A channel ({@code rdma_create_event_channel}).
     *
     * @param options timers and limits of identifiers that are created on it, also of those for requests to its listeners
     * @throws VerbsException EOPNOTSUPP if the queue pair 1 of the device is not accessible, EINVAL if it is closed
     */
    public static EventChannel open(Device device, CmOptions options) {
        return open(device, 1, options);
    }

    /**
     * A channel for identifiers of one port of a device with several; otherwise as {@link #open(Device, CmOptions)}.
     *
     * @param portNumber from 1
     * @throws VerbsException also EINVAL if there is no such port
     */
    public static EventChannel open(Device device, int portNumber, CmOptions options) {
        VerbsException.requireNonNull(options, "options");
        return new EventChannel(device, options, CmAgent.of(device, portNumber));
    }

    /**
     * Starts connection management of the device, so that connection requests are refused while the device has no channel; otherwise
     * peers would wait for their timeout. Not needed if a channel is opened, or for devices that {@code dev.verbatim.Verbatim} opens.
     *
     * @throws VerbsException as {@link #open}
     */
    public static void attend(Device device) {
        CmAgent.attend(device);
    }

    /** The device of its identifiers. */
    public Device device() {
        return device;
    }

    /** The port of its identifiers, from 1. */
    public int portNumber() {
        return port.portNumber();
    }

    /** Timers and limits of its identifiers. */
    public CmOptions options() {
        return options;
    }

    /** An identifier for reliable connections. */
    public CmId createId() {
        return createId(null, PortSpace.TCP);
    }

    /** An identifier. */
    public CmId createId(PortSpace portSpace) {
        return createId(null, portSpace);
    }

    /**
     * Creates an identifier ({@code rdma_create_id}).
     *
     * @param context the application's context object
     * @throws VerbsException ENOMEM if the device has the most identifiers of the options (CM-24), EINVAL if the channel is closed,
     *     ENODEV if the device is closed
     */
    public CmId createId(@Nullable Object context, PortSpace portSpace) {
        VerbsException.requireNonNull(portSpace, "portSpace");
        List<CmId> made = new ArrayList<>(1);
        cm.call(() -> {
            events.requireOpen();
            agent.requireAlive();
            agent.requireRoom(options.mostIds());
            made.add(new Identifier(this, context, portSpace).id());
        });
        return made.get(0);
    }

    /** The next event; null if there is none. Never waits. The event must be {@linkplain CmEvent#acknowledge acknowledged}. */
    public @Nullable CmEvent pollEvent() {
        CmEvent event = events.poll();
        if (event != null) {
            port.heard();
        }
        return event;
    }

    /**
     * Waits for the next event ({@code rdma_get_cm_event}), which must be {@linkplain CmEvent#acknowledge acknowledged}.
     *
     * @throws VerbsException ETIMEDOUT if there was none within {@code patience}, EINTR if the thread was interrupted, EINVAL if the
     *     channel is closed, or the device is closed and no event is left; EDEADLK if time is simulated and no event can follow
     */
    public CmEvent getEvent(Duration patience) {
        return getEvent(patience, PendingEvent::fetch);
    }

    CmEvent getEvent(Duration patience, Function<PendingEvent, CmEvent> fetching) {
        CmEvent event = events.await(patience, fetching);
        port.heard();
        return event;
    }

    /**
     * Closes the channel ({@code rdma_destroy_event_channel}).
     *
     * @throws VerbsException EBUSY while it has identifiers, ENOENT if it was closed before
     */
    @Override
    public void close() {
        cm.lane().call(() -> {
            events.requireNotClosedBefore();
            if (identifiers > 0) {
                throw VerbsException.of(
                        Errno.EBUSY, Rule.CM_29, "the event channel has %d identifiers; close them first", identifiers);
            }
            events.close();
            agent.removeChannel(events);
        });
    }

    CmAgent agent() {
        return agent;
    }

    /** Whether an event can be fetched at once. Makes no progress. */
    public boolean hasEvent() {
        return events.hasEvent();
    }

    /**
     * Sets a callback that is called once for each event that is added, and here at once for each that waits already; as
     * {@link dev.verbatim.verbs.CompletionChannel#onReady} otherwise. It does none of the work of fetching (CM-06): that is done by
     * {@link #pollEvent} and {@link #getEvent}, which must not be called by the callback.
     *
     * <p>Fewer events can be fetched than were told of: those of an identifier that is closed go unfetched, and those of one that is
     * {@linkplain CmId#migrate moved} are told of at the other channel. {@link #onReady(Runnable, Runnable)} tells of these, too.
     *
     * @param callback null removes it
     * @throws VerbsException EINVAL if the channel is closed, unless the callback is null
     */
    public void onReady(@Nullable Runnable callback) {
        events.onReady(callback);
    }

    /**
     * As {@link #onReady(Runnable)}, with another callback for events that were told of and cannot be fetched here any more. With both, a
     * descriptor can be kept readable once for each event that waits.
     *
     * @param dropped called once for each such event
     * @throws VerbsException also EINVAL if {@code dropped} is null
     */
    public void onReady(@Nullable Runnable added, Runnable dropped) {
        events.onReady(added, dropped);
    }

    /** It has more identifiers, or less. On the lane. */
    void count(int change) {
        identifiers += change;
    }

    /** On the lane. */
    void add(PendingEvent event) {
        events.add(event);
    }

    /** On the lane. */
    List<PendingEvent> removeOf(Identifier about) {
        return events.removeOf(about);
    }

    @SuppressWarnings("ReferenceEquality") // an agent is its identity
    void requireUsableFor(CmAgent wanted) {
        events.requireOpen();
        if (agent != wanted) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.CM_27, "the event channel is of another device, %s", device.name());
        }
    }

    @Override
    public String toString() {
        return "event channel of " + device;
    }
}

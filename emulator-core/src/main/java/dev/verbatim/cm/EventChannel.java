// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the events of identifiers come, in the order in which they happened ({@code struct rdma_event_channel}); of one device.
 * Any thread may fetch them.
 *
 * <p>Fetching does work, as with {@code librdmacm}: fetching the peer's answer takes the queue pair to RTS and tells the peer so,
 * and fetching REJECTED takes it to ERR (CM-06). An application that fetches no events gets no connection.
 */
public final class EventChannel implements AutoCloseable {

    private final Device device;
    private final CmOptions options;

    private EventChannel(Device device, CmOptions options) {
        this.device = device;
        this.options = options;
    }

    /** A channel with the usual timers and limits. */
    public static EventChannel open(Device device) {
        return open(device, CmOptions.USUAL);
    }

    /**
     * A channel ({@code rdma_create_event_channel}).
     *
     * @param options timers and limits of the identifiers that are made on it, and by requests to its listeners
     * @throws VerbsException EOPNOTSUPP if the device has no queue pair 1 to be had, EINVAL if it is closed
     */
    public static EventChannel open(Device device, CmOptions options) {
        return new EventChannel(device, options);
    }

    /** The device that its identifiers belong to. */
    public Device device() {
        return device;
    }

    /** Timers and limits. */
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
     * Makes an identifier ({@code rdma_create_id}).
     *
     * @param context the application's own object
     * @throws VerbsException ENOMEM if the device has as many as it may (CM-24), EINVAL if the channel is closed, ENODEV if the
     *     device is
     */
    public CmId createId(@Nullable Object context, PortSpace portSpace) {
        return new CmId(new Identifier(this, context), portSpace);
    }

    /** The next event if there is one; never waits. It has to be {@linkplain CmEvent#acknowledge acknowledged}. */
    public @Nullable CmEvent pollEvent() {
        throw VerbsException.of(Errno.EOPNOTSUPP, "CM-15", "there are no events yet");
    }

    /**
     * Waits for the next event ({@code rdma_get_cm_event}); it has to be {@linkplain CmEvent#acknowledge acknowledged}.
     *
     * @return null if none came within {@code patience}
     * @throws VerbsException EINTR if the thread was interrupted, EINVAL if the channel is closed, EDEADLK if time is simulated and
     *     nothing is left to happen
     */
    public @Nullable CmEvent getEvent(Duration patience) {
        throw VerbsException.of(Errno.EOPNOTSUPP, "CM-15", "there are no events yet");
    }

    /**
     * Closes the channel ({@code rdma_destroy_event_channel}).
     *
     * @throws VerbsException EBUSY while it has identifiers
     */
    @Override
    public void close() {}
}

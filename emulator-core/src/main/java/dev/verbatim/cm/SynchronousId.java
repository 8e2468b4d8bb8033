// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** One identifier on a channel of its own, for a program that waits for each step. */
final class SynchronousId {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);
    private static final Set<CmEventType> LAST =
            EnumSet.of(CmEventType.DISCONNECTED, CmEventType.REJECTED, CmEventType.DEVICE_REMOVAL);

    private final EventChannel channel;
    private final CmId id;
    private final AtomicBoolean closed = new AtomicBoolean();

    SynchronousId(EventChannel channel, CmId id) {
        this.channel = channel;
        this.id = id;
    }

    /** A new identifier on a new channel of this device. That the peer disconnects is confirmed at once: no program asks for events. */
    static SynchronousId on(Device device) {
        EventChannel channel = EventChannel.open(device, CmOptions.USUAL.answeringDisconnects());
        return new SynchronousId(channel, channel.createId());
    }

    CmId id() {
        return id;
    }

    /** The time by which something has to be done that may take so long from now on. */
    long deadlineNanos(Duration patience) {
        VerbsException.requireNonNull(patience, "patience");
        long now = nowNanos();
        long nanos = patience.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : patience.toNanos();
        return nanos > Long.MAX_VALUE - Math.max(0, now) ? Long.MAX_VALUE : now + nanos;
    }

    private long nowNanos() {
        return channel.agent().lane().clock().nanoTime();
    }

    Duration left(long deadlineNanos) {
        return deadlineNanos == Long.MAX_VALUE ? LONGEST : Duration.ofNanos(Math.max(1, deadlineNanos - nowNanos()));
    }

    /** Whether nothing of the connection follows, but that its TIMEWAIT is over. */
    static boolean isLast(CmEvent event) {
        return LAST.contains(event.type());
    }

    /** The next event, acknowledged. Each thread that waits gets one that is the last. */
    CmEvent next(Duration patience) {
        return channel.getEvent(patience, this::fetch);
    }

    /** On the lane, so that no thread that closes this meets an event that is not acknowledged. */
    private CmEvent fetch(PendingEvent pending) {
        CmEvent event = pending.fetch();
        event.acknowledge();
        if (isLast(event) && event.id() == id) {
            channel.add(pending);
        }
        return event;
    }

    /**
     * Waits for that event.
     *
     * @throws ConnectionException if another one comes, or none in time
     */
    CmEvent await(CmEventType wanted, long deadlineNanos) {
        CmEvent event;
        try {
            event = next(left(deadlineNanos));
        } catch (VerbsException e) {
            if (e.errno() != Errno.ETIMEDOUT) {
                throw e;
            }
            throw new ConnectionException(
                    Errno.ETIMEDOUT,
                    Refusal.of(Rule.CM_06, "%s of %s did not come in time", wanted, id),
                    -Errno.ETIMEDOUT.number());
        }
        if (event.type() != wanted) {
            throw failure(event);
        }
        return event;
    }

    /** The exception for an event that is not the awaited one. */
    static ConnectionException failure(CmEvent event) {
        Errno errno = switch (event.type()) {
            case REJECTED -> Errno.ECONNREFUSED;
            case DISCONNECTED -> Errno.ECONNABORTED;
            case DEVICE_REMOVAL -> Errno.ENODEV;
            default -> errno(-event.status());
        };
        return new ConnectionException(errno, Refusal.of(Rule.CM_15, "%s", event), event.status(), event.privateData());
    }

    private static Errno errno(int number) {
        for (Errno errno : Errno.values()) {
            if (errno.number() == number) {
                return errno;
            }
        }
        return Errno.EIO;
    }

    /** The same by a program. */
    void closeOnce() {
        if (!closed.compareAndSet(false, true)) {
            throw VerbsException.of(Errno.ENOENT, Rule.CM_29, "%s was closed before", id);
        }
        close();
    }

    /** Gives everything back: the queue pair, the identifier, the channel. */
    void close() {
        try {
            id.destroyQp();
        } finally {
            id.close();
            channel.close();
        }
    }
}

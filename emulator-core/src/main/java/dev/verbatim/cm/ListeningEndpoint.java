// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Accepts connections at an address. */
public final class ListeningEndpoint implements AutoCloseable {

    private final SynchronousId synchronous;
    private final CmId id;

    ListeningEndpoint(SynchronousId synchronous) {
        this.synchronous = synchronous;
        this.id = synchronous.id();
    }

    /** Its identifier. */
    public CmId id() {
        return id;
    }

    /** Its address, with the port that was assigned. */
    public InetSocketAddress localAddress() {
        InetSocketAddress address = id.localAddress();
        if (address == null) {
            throw VerbsException.of(Errno.EINVAL, Rule.CM_28, "%s has no address", id);
        }
        return address;
    }

    /**
     * Waits for a connection request ({@code rdma_get_request}).
     *
     * @throws VerbsException ETIMEDOUT if there was none within {@code patience}, EINTR if the thread was interrupted, EINVAL if this was
     *     closed
     * @throws ConnectionException ENODEV if the device was closed
     */
    public ConnectionRequest getRequest(Duration patience) {
        long deadlineNanos = synchronous.deadlineNanos(patience);
        CmEvent event = synchronous.next(patience);
        while (event.type() == CmEventType.REJECTED) {
            // A peer has given up, whose request was given before and refuses to be accepted.
            event = synchronous.next(synchronous.left(deadlineNanos));
        }
        if (event.type() != CmEventType.CONNECT_REQUEST) {
            throw SynchronousId.failure(event);
        }
        return new ConnectionRequest(event.id(), event.parameters());
    }

    /**
     * Stops listening; requests that wait are rejected.
     *
     * @throws VerbsException ENOENT if it was closed before
     */
    @Override
    public void close() {
        synchronous.closeOnce();
    }

    @Override
    public String toString() {
        return "listening endpoint of " + id;
    }
}

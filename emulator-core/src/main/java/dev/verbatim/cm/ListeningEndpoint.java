// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Takes connections at an address. */
public final class ListeningEndpoint implements AutoCloseable {

    private final CmId id;

    ListeningEndpoint(CmId id) {
        this.id = id;
    }

    /** Its identifier. */
    public CmId id() {
        return id;
    }

    /** Where it listens, with the port that it was given. */
    public InetSocketAddress localAddress() {
        InetSocketAddress address = id.localAddress();
        if (address == null) {
            throw VerbsException.of(Errno.EINVAL, "CM-28", "%s has no address", id);
        }
        return address;
    }

    /**
     * Waits for somebody who wants to connect ({@code rdma_get_request}).
     *
     * @return null if nobody came within {@code patience}
     */
    public @Nullable ConnectionRequest getRequest(Duration patience) {
        throw VerbsException.of(Errno.EOPNOTSUPP, "CM-06", "there are no connections yet");
    }

    /** Takes no more; who waits for an answer is refused. Nothing happens the second time. */
    @Override
    public void close() {}
}

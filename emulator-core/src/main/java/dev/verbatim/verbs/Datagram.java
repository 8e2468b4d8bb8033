// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Objects;

/**
 * Whom a datagram is for ({@code wr.ud} of {@code struct ibv_send_wr}).
 *
 * @param addressHandle the way to the device
 * @param remoteQp number of the queue pair there, 24 bits
 * @param remoteQueueKey the Q_Key that it must have; with its highest bit set, the sender's own is sent instead (WR-41)
 */
public record Datagram(AddressHandle addressHandle, int remoteQp, int remoteQueueKey) {

    /** Checks that there is a handle. */
    public Datagram {
        Objects.requireNonNull(addressHandle, "addressHandle");
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Objects;

/**
 * The destination of a datagram ({@code wr.ud} of {@code struct ibv_send_wr}).
 *
 * @param addressHandle address of the device
 * @param remoteQp number of the destination queue pair, 24 bits
 * @param remoteQueueKey Q_Key of the destination queue pair; if the highest bit is set, the sender's own Q_Key is
 *     sent instead (WR-41)
 */
public record Datagram(AddressHandle addressHandle, int remoteQp, int remoteQueueKey) {

    /** Checks that there is a handle. */
    public Datagram {
        Objects.requireNonNull(addressHandle, "addressHandle");
    }
}

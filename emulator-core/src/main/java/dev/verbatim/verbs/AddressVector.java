// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * Where a queue pair's peer is ({@code struct ibv_ah_attr}). Only the GID decides where packets go; the other fields
 * are checked and kept.
 *
 * @param destination GID of the peer's port
 * @param global whether a GRH is used; ports here require it (QV-10)
 * @param portNumber local port, from 1
 * @param sourceGidIndex index of the local GID
 * @param hopLimit hop limit of the GRH
 * @param trafficClass traffic class of the GRH
 * @param serviceLevel service level, 0 to 15
 */
public record AddressVector(
        Gid destination,
        boolean global,
        int portNumber,
        int sourceGidIndex,
        int hopLimit,
        int trafficClass,
        int serviceLevel) {

    private static final int USUAL_HOP_LIMIT = 64;
    private static final int MOST_HOPS = 255;

    /**
     * The way back to who sent a datagram ({@code ibv_init_ah_from_wc}).
     *
     * @param completion of the receive that took the datagram
     * @param grh what the receive's memory begins with
     * @param portNumber local port, from 1
     * @throws VerbsException EINVAL if the completion says that there is no GRH, or the datagram was for another GID than the port's
     */
    public static AddressVector toAnswer(Device device, WorkCompletion completion, Grh grh, int portNumber) {
        if (!completion.isSuccess() || !completion.has(WcFlags.GRH)) {
            throw VerbsException.of(
                    Errno.EINVAL, "WC-02", "%s has no GRH, which alone says where the datagram came from", completion);
        }
        Gid own = device.queryGid(portNumber, 0);
        if (!own.equals(grh.destination())) {
            throw VerbsException.of(
                    Errno.EINVAL, "UD-01", "the datagram was for gid=%s and not for gid=%s", grh.destination(), own);
        }
        return new AddressVector(grh.source(), true, portNumber, 0, MOST_HOPS, grh.trafficClass(), 0);
    }

    /** The usual address vector: port 1, GID index 0. */
    public static AddressVector to(Gid destination) {
        return new AddressVector(destination, true, 1, 0, USUAL_HOP_LIMIT, 0, 0);
    }
}

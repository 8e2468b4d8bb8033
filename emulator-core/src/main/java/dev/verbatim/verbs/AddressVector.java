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

    /** The usual address vector: port 1, GID index 0. */
    public static AddressVector to(Gid destination) {
        return new AddressVector(destination, true, 1, 0, USUAL_HOP_LIMIT, 0, 0);
    }
}

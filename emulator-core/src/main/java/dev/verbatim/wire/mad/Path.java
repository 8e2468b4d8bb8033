// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.verbs.Gid;

/**
 * A path between two ports.
 *
 * @param localLid 16 bits; 0xffff where there are none, as on Ethernet
 * @param remoteLid 16 bits
 * @param localGid the sender's port
 * @param remoteGid the receiver's port
 * @param flowLabel 20 bits
 * @param trafficClass 8 bits
 * @param hopLimit 8 bits
 * @param packetRate 6 bits; 0 is that of the port
 * @param serviceLevel 4 bits
 * @param subnetLocal whether it stays within the subnet
 * @param ackTimeout a code of {@link CmTimeout}
 */
public record Path(
        int localLid,
        int remoteLid,
        Gid localGid,
        Gid remoteGid,
        int flowLabel,
        int trafficClass,
        int hopLimit,
        int packetRate,
        int serviceLevel,
        boolean subnetLocal,
        int ackTimeout) {

    /** All zero: there is no such path. */
    public static final Path NONE = new Path(0, 0, new Gid(0, 0), new Gid(0, 0), 0, 0, 0, 0, 0, false, 0);

    /** The LID that says that there are none. */
    public static final int PERMISSIVE_LID = 0xffff;

    /** Checks that each number fits its field. */
    public Path {
        PathLayout.check(localLid, remoteLid, flowLabel, trafficClass, hopLimit, packetRate, serviceLevel, ackTimeout);
    }

    /** Whether there is such a path: a path that is present has a local LID. */
    public boolean isPresent() {
        return localLid != 0;
    }
}

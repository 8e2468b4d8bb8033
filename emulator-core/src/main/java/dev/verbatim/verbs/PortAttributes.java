// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * A port ({@code struct ibv_port_attr}). There is no subnet manager, so what one would assign is 0, as on RoCE.
 *
 * @param state whether packets pass
 * @param maxMtu largest path MTU of any port
 * @param activeMtu largest path MTU of this one
 * @param maxMessageBytes longest message
 * @param gidCount entries of the GID table
 * @param pkeyCount entries of the partition key table
 * @param badPkeys packets that came with a partition key that is not in the table; stays at 65535 once it is there
 * @param badQueueKeys datagrams that came with another Q_Key than that of their queue pair; counted alike
 * @param lid its local identifier
 * @param subnetManagerLid the subnet manager's
 * @param lidMaskCount how many low bits of its local identifier are left open
 * @param subnetManagerServiceLevel how the subnet manager is reached
 * @param subnetTimeout how long packets may be under way, as an exponent
 * @param initTypeReply how far it was initialized
 * @param virtualLanes data lanes, as {@code max_vl_num}
 * @param activeWidth {@link #WIDTH_1X}: nothing here has a rate, and this is the least that can be said
 * @param activeSpeed {@link #SPEED_SDR}, likewise
 * @param physicalState {@link #LINK_UP} or {@link #DISABLED}
 * @param linkLayer ETHERNET: peers are found by GID
 * @param flags {@link #GRH_REQUIRED}
 */
public record PortAttributes(
        PortState state,
        PathMtu maxMtu,
        PathMtu activeMtu,
        long maxMessageBytes,
        int gidCount,
        int pkeyCount,
        int badPkeys,
        int badQueueKeys,
        int lid,
        int subnetManagerLid,
        int lidMaskCount,
        int subnetManagerServiceLevel,
        int subnetTimeout,
        int initTypeReply,
        int virtualLanes,
        int activeWidth,
        int activeSpeed,
        int physicalState,
        LinkLayer linkLayer,
        int flags) {

    /** One lane. */
    public static final int WIDTH_1X = 1;

    /** 2.5 Gbit/s. */
    public static final int SPEED_SDR = 1;

    /** A physical state: there is no carrier. */
    public static final int DISABLED = 3;

    /** A physical state: the carrier is there. */
    public static final int LINK_UP = 5;

    /** Address vectors must be global ({@code IBV_QPF_GRH_REQUIRED}, QV-10). */
    public static final int GRH_REQUIRED = 1;
}

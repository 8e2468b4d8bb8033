// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * Attributes of a port ({@code struct ibv_port_attr}). There is no subnet manager, so the attributes that it would
 * assign are 0, as on RoCE, unless the fabric has local identifiers.
 *
 * @param state whether packets pass
 * @param maxMtu largest path MTU of any port
 * @param activeMtu largest path MTU of this one
 * @param maxMessageBytes longest message
 * @param gidCount entries of the GID table
 * @param pkeyCount entries of the partition key table
 * @param badPkeys number of received packets whose partition key is not in the table; at most 65535
 * @param badQueueKeys number of received datagrams whose Q_Key is not that of the queue pair; at most 65535
 * @param lid its local identifier, which leads to a GID by {@link Device#gidOfLid}; 0 where the fabric has none
 * @param subnetManagerLid the subnet manager's
 * @param lidMaskCount number of masked low bits of the local identifier
 * @param subnetManagerServiceLevel service level to the subnet manager
 * @param subnetTimeout subnet propagation delay, a timeout code
 * @param initTypeReply type of initialization
 * @param virtualLanes data lanes, as {@code max_vl_num}
 * @param activeWidth one lane, the minimum, because fabrics have no rate; or what {@link Device#changeLink} said
 * @param activeSpeed the lowest, likewise
 * @param physicalState {@link #LINK_UP} or {@link #DISABLED}
 * @param linkLayer ETHERNET: peers are found by GID; INFINIBAND if the fabric was asked to say so
 * @param flags {@link #GRH_REQUIRED} where the link layer is ETHERNET, else 0
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
        LinkWidth activeWidth,
        LinkSpeed activeSpeed,
        int physicalState,
        LinkLayer linkLayer,
        int flags) {

    /** A physical state: there is no carrier. */
    public static final int DISABLED = 3;

    /** A physical state: the carrier is there. */
    public static final int LINK_UP = 5;

    /** Address vectors must be global ({@code IBV_QPF_GRH_REQUIRED}, QV-10). */
    public static final int GRH_REQUIRED = 1;
}

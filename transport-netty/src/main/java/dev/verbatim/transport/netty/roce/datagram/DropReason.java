// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.datagram;

/** Why a datagram that arrived at port 4791 was dropped without an answer. */
public enum DropReason {
    /** It is shorter than a BTH and an ICRC. */
    TOO_SHORT,

    /** It is longer than the largest packet of RoCEv2. */
    TOO_LONG,

    /** Its ICRC is not that of its bytes and addresses. */
    ICRC,

    /** It is a congestion notification, which changes nothing here. */
    CONGESTION_NOTIFICATION,

    /** Its bytes are no packet: the opcode, a length, the pad or a reserved value is wrong. */
    MALFORMED,

    /** Its source address cannot be that of a peer: a wildcard, broadcast or multicast address. */
    SOURCE_ADDRESS
}

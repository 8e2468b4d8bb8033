// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** Why a {@link ManagementPort} dropped a datagram; it counts each. */
public enum ManagementDrop {
    /** It came as something other than one datagram packet. */
    OPCODE,
    /** Its partition key is neither 0xffff nor 0x7fff. */
    PARTITION_KEY,
    /** Its queue key is not that of queue pair 1. */
    QUEUE_KEY,
    /** It is not 256 bytes long. */
    LENGTH,
    /** Its base version is not 1. */
    VERSION,
    /** Its method is not Send, and it is no question that the port answers itself. */
    METHOD,
    /** It explains a refusal without having been asked, or asks about a request that the asker did not send. */
    REASON,
    /** The device has no management agent. */
    NO_AGENT,
    /** It was to be sent, and too much waits for that already. */
    FULL,
    /** It was to be sent, and there is no way to its destination. */
    NO_WAY
}

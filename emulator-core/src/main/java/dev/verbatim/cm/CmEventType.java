// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

/** What happened to an identifier ({@code enum rdma_cm_event_type}); the numbers are those of the C binary interface. */
public enum CmEventType {
    /** The destination's address is known. */
    ADDR_RESOLVED,
    /** It could not be found out; the status says why. */
    ADDR_ERROR,
    /** The way there is known. */
    ROUTE_RESOLVED,
    /** It could not be found out. */
    ROUTE_ERROR,
    /** To a listener: a peer wants to connect; the event's identifier is a new one. */
    CONNECT_REQUEST,
    /** The peer accepted, and the identifier has no queue pair that could be set up: call {@link CmId#establish()}. */
    CONNECT_RESPONSE,
    /** The queue pair could not be set up with what the peer answered; the peer was told so. */
    CONNECT_ERROR,
    /** The peer did not answer. */
    UNREACHABLE,
    /** The peer, or its connection manager, refused; the status is a {@link RejectReason}. */
    REJECTED,
    /** The connection stands. */
    ESTABLISHED,
    /** The connection is over. */
    DISCONNECTED,
    /** The device was closed: nothing but {@link CmId#close()} is left to do with its identifiers. */
    DEVICE_REMOVAL,
    /** Never raised here. */
    MULTICAST_JOIN,
    /** Never raised here. */
    MULTICAST_ERROR,
    /** Never raised here. */
    ADDR_CHANGE,
    /** No packet of the ended connection is under way any more; its queue pair can be used anew. */
    TIMEWAIT_EXIT;

    /** The value in the C binary interface. */
    public int number() {
        return ordinal();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

/** The types of events ({@code enum rdma_cm_event_type}); the numbers are those of the C binary interface. */
public enum CmEventType {
    /** The destination's address was resolved. */
    ADDR_RESOLVED,
    /** The address could not be resolved; the status is an error number below 0. */
    ADDR_ERROR,
    /** The route was resolved. */
    ROUTE_RESOLVED,
    /** Never raised here: the route can always be resolved. */
    ROUTE_ERROR,
    /** At a listener: a peer requests a connection; the event's identifier is a new one. */
    CONNECT_REQUEST,
    /** The peer accepted, and the identifier has no queue pair: set one up and call {@link CmId#establish()}. */
    CONNECT_RESPONSE,
    /** The queue pair could not be set up with the peer's answer; the peer was notified. */
    CONNECT_ERROR,
    /** The peer did not answer. */
    UNREACHABLE,
    /** The peer's application or connection manager rejected the request; the status is a {@link RejectReason}. */
    REJECTED,
    /** The connection is established. */
    ESTABLISHED,
    /** The connection is over. */
    DISCONNECTED,
    /** The device was closed: its identifiers can only be closed. */
    DEVICE_REMOVAL,
    /** Never raised here. */
    MULTICAST_JOIN,
    /** Never raised here. */
    MULTICAST_ERROR,
    /** Never raised here. */
    ADDR_CHANGE,
    /** The TIMEWAIT of the ended connection is over: none of its packets can arrive any more, and its queue pair can be used again. */
    TIMEWAIT_EXIT;

    /** The value in the C binary interface. */
    public int number() {
        return ordinal();
    }
}

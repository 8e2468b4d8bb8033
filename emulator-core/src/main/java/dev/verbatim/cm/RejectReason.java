// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import org.jspecify.annotations.Nullable;

/** Why a connection was refused: the reasons of a REJ message, and the status of a {@link CmEventType#REJECTED} event (CM-21). */
public enum RejectReason {
    NO_QP(1),
    NO_EEC(2),
    NO_RESOURCES(3),
    /** Whoever asked gave up waiting. */
    TIMEOUT(4),
    UNSUPPORTED(5),
    INVALID_COMM_ID(6),
    INVALID_COMM_INSTANCE(7),
    /** Nobody listens there. */
    INVALID_SERVICE_ID(8),
    INVALID_TRANSPORT_TYPE(9),
    /** The queue pair is, or was until now, part of another connection. */
    STALE_CONN(10),
    RDC_NOT_EXIST(11),
    INVALID_GID(12),
    INVALID_LID(13),
    INVALID_SL(14),
    INVALID_TRAFFIC_CLASS(15),
    INVALID_HOP_LIMIT(16),
    INVALID_PACKET_RATE(17),
    INVALID_ALT_GID(18),
    INVALID_ALT_LID(19),
    INVALID_ALT_SL(20),
    INVALID_ALT_TRAFFIC_CLASS(21),
    INVALID_ALT_HOP_LIMIT(22),
    INVALID_ALT_PACKET_RATE(23),
    PORT_CM_REDIRECT(24),
    PORT_REDIRECT(25),
    INVALID_MTU(26),
    INSUFFICIENT_RESP_RESOURCES(27),
    /** The application refused, or the addresses of the request do not fit. */
    CONSUMER_DEFINED(28),
    INVALID_RNR_RETRY(29),
    DUPLICATE_LOCAL_COMM_ID(30),
    INVALID_CLASS_VERSION(31),
    INVALID_FLOW_LABEL(32),
    INVALID_ALT_FLOW_LABEL(33),
    VENDOR_OPTION_NOT_SUPPORTED(35);

    private final int number;

    RejectReason(int number) {
        this.number = number;
    }

    /** The value in messages and in the status of events. */
    public int number() {
        return number;
    }

    /** The reason of that number; null if it has no name. */
    public static @Nullable RejectReason of(int number) {
        for (RejectReason reason : values()) {
            if (reason.number == number) {
                return reason;
            }
        }
        return null;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.wire.mad.Rej;
import org.jspecify.annotations.Nullable;

/** Why a connection was rejected: the reasons of a REJ message, and the status of a {@link CmEventType#REJECTED} event (CM-21). */
public enum RejectReason {
    /** No queue pair is available. */
    NO_QP(1),
    /** No end-to-end context is available. */
    NO_EEC(2),
    /** No other resources are available. */
    NO_RESOURCES(Rej.REASON_NO_RESOURCES),
    /** The sender of the request timed out. */
    TIMEOUT(Rej.REASON_TIMEOUT),
    /** The request is not supported. */
    UNSUPPORTED(5),
    /** The communication ID is not valid. */
    INVALID_COMM_ID(6),
    /** IDs, queue pair number and GUID do not agree. */
    INVALID_COMM_INSTANCE(7),
    /** No application listens at the service ID. */
    INVALID_SERVICE_ID(Rej.REASON_INVALID_SERVICE_ID),
    /** The transport type is not valid. */
    INVALID_TRANSPORT_TYPE(9),
    /** The queue pair is part of another connection, or was until now. */
    STALE_CONN(Rej.REASON_STALE_CONN),
    /** There is no reliable datagram channel. */
    RDC_NOT_EXIST(11),
    /** The primary remote GID is not the receiver's; the additional information is one that is. */
    INVALID_GID(Rej.REASON_INVALID_GID),
    /** The primary remote LID is not valid. */
    INVALID_LID(13),
    /** The primary service level is not valid. */
    INVALID_SL(14),
    /** The primary traffic class is not valid. */
    INVALID_TRAFFIC_CLASS(15),
    /** The primary hop limit is not valid. */
    INVALID_HOP_LIMIT(16),
    /** The primary packet rate is not valid. */
    INVALID_PACKET_RATE(17),
    /** The alternate remote GID is not valid. */
    INVALID_ALT_GID(Rej.REASON_INVALID_ALT_GID),
    /** The alternate remote LID is not valid. */
    INVALID_ALT_LID(19),
    /** The alternate service level is not valid. */
    INVALID_ALT_SL(20),
    /** The alternate traffic class is not valid. */
    INVALID_ALT_TRAFFIC_CLASS(21),
    /** The alternate hop limit is not valid. */
    INVALID_ALT_HOP_LIMIT(22),
    /** The alternate packet rate is not valid. */
    INVALID_ALT_PACKET_RATE(23),
    /** Another port and its communication manager are to be asked. */
    PORT_CM_REDIRECT(24),
    /** Another port is to be used. */
    PORT_REDIRECT(25),
    /** The path MTU is not valid. */
    INVALID_MTU(Rej.REASON_INVALID_MTU),
    /** There are too few responder resources. */
    INSUFFICIENT_RESP_RESOURCES(27),
    /** The application rejected it, or the addresses of the request do not match. */
    CONSUMER_DEFINED(Rej.REASON_CONSUMER_DEFINED),
    /** The RNR retry count is not valid. */
    INVALID_RNR_RETRY(29),
    /** The communication ID is in use already. */
    DUPLICATE_LOCAL_COMM_ID(30),
    /** The class version is not supported. */
    INVALID_CLASS_VERSION(31),
    /** The primary flow label is not valid. */
    INVALID_FLOW_LABEL(32),
    /** The alternate flow label is not valid. */
    INVALID_ALT_FLOW_LABEL(33),
    /** The options that were offered are not supported. */
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

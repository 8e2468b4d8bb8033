// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Locale;

/**
 * What a device counts. The names in lower case up to {@link #RDMA_RECVS} are those of the counters of Linux's soft-RoCE device, as
 * {@code rdma statistic} prints them, and mean the same. Its {@code ack_deferred} is missing: it counts packets that wait for a
 * kernel task, which a device without threads does not have.
 *
 * <p>Counters begin at 0 when the device is opened and never decrease; {@link #isGauge gauges} are what there is at present.
 */
public enum DeviceCounter {
    /** Packets sent, repeated ones and those of queue pair 1 included. */
    SENT_PKTS,

    /** Packets received by a queue pair. Those that were dropped before are not counted. */
    RCVD_PKTS,

    /** Requests of reliable connections that were received again (DUP-01). */
    DUPLICATE_REQUEST,

    /** Gaps in the requests of a reliable connection, each answered by one NAK (PSN-02). */
    OUT_OF_SEQ_REQUEST,

    /** RNR NAKs received by a requester (RT-04). */
    RCVD_RNR_ERR,

    /** RNR NAKs sent by a responder without a receive (PR-02). */
    SEND_RNR_ERR,

    /** NAKs received that report a gap (RT-05). */
    RCVD_SEQ_ERR,

    /** Requests that failed because retry_cnt was used up (WC-36, WC-37). */
    RETRY_EXCEEDED_ERR,

    /** Requests that failed because rnr_retry was used up (RT-03). */
    RETRY_RNR_EXCEEDED_ERR,

    /** Retries of requesters: after a timeout, a NAK that reports a gap, or a response that was lost (RT-02). */
    COMPLETER_RETRY_ERR,

    /** Failures of the sockets of a carrier. */
    SEND_ERR,

    /** Times that the carrier of the port went away (AE-11). */
    LINK_DOWNED,

    /** SENDs that completed successfully. */
    RDMA_SENDS,

    /** Receives that completed successfully. */
    RDMA_RECVS,

    /** Times that a link was interrupted and became reliable again, such as a TCP connection that was dialled anew. */
    LINK_CUTS,

    /** Congestion notifications received, which change nothing here and are dropped. */
    CNPS_DROPPED,

    /** Gauge: send requests that are posted and have not completed. */
    OUTSTANDING,

    /** Gauge: queue pairs whose timer for acknowledgements or for RNR NAKs runs. */
    TIMERS;

    /** The counter's name as {@code rdma statistic} prints it, such as {@code sent_pkts}. */
    public String statisticName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it may decrease. */
    public boolean isGauge() {
        return this == OUTSTANDING || this == TIMERS;
    }
}

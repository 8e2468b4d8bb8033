// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Mask of queue pair attributes ({@code enum ibv_qp_attr_mask}). */
public final class QpAttributeMask {

    /** Requested state. */
    public static final int STATE = 1;

    /** Expected current state. */
    public static final int CUR_STATE = 1 << 1;

    /** Request for the event SQ_DRAINED. */
    public static final int EN_SQD_ASYNC_NOTIFY = 1 << 2;

    /** Rights that the queue pair grants. */
    public static final int ACCESS_FLAGS = 1 << 3;

    /** Partition key index. */
    public static final int PKEY_INDEX = 1 << 4;

    /** Physical port. */
    public static final int PORT = 1 << 5;

    /** Queue key (UD). */
    public static final int QKEY = 1 << 6;

    /** Address vector of the peer. */
    public static final int AV = 1 << 7;

    /** Path MTU. */
    public static final int PATH_MTU = 1 << 8;

    /** ACK timeout code. */
    public static final int TIMEOUT = 1 << 9;

    /** Retries after timeouts and sequence NAKs. */
    public static final int RETRY_CNT = 1 << 10;

    /** Retries after RNR NAKs. */
    public static final int RNR_RETRY = 1 << 11;

    /** First PSN expected. */
    public static final int RQ_PSN = 1 << 12;

    /** Initiator depth. */
    public static final int MAX_QP_RD_ATOMIC = 1 << 13;

    /** Alternate path; not supported. */
    public static final int ALT_PATH = 1 << 14;

    /** RNR timer code. */
    public static final int MIN_RNR_TIMER = 1 << 15;

    /** First PSN sent. */
    public static final int SQ_PSN = 1 << 16;

    /** Responder resources. */
    public static final int MAX_DEST_RD_ATOMIC = 1 << 17;

    /** Path migration state; not supported. */
    public static final int PATH_MIG_STATE = 1 << 18;

    /** Capabilities; not supported. */
    public static final int CAP = 1 << 19;

    /** Number of the peer's queue pair. */
    public static final int DEST_QPN = 1 << 20;

    private QpAttributeMask() {}

    /** The names of the set bits joined by {@code |}, {@code 0} for none. */
    public static String describe(int mask) {
        return FlagNames.describe(
                mask,
                "STATE",
                "CUR_STATE",
                "EN_SQD_ASYNC_NOTIFY",
                "ACCESS_FLAGS",
                "PKEY_INDEX",
                "PORT",
                "QKEY",
                "AV",
                "PATH_MTU",
                "TIMEOUT",
                "RETRY_CNT",
                "RNR_RETRY",
                "RQ_PSN",
                "MAX_QP_RD_ATOMIC",
                "ALT_PATH",
                "MIN_RNR_TIMER",
                "SQ_PSN",
                "MAX_DEST_RD_ATOMIC",
                "PATH_MIG_STATE",
                "CAP",
                "DEST_QPN");
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.verbs.WcStatus;

/** What a program changes that a request fails with a status, where the refusal itself does not say. */
final class StatusWords {

    private StatusWords() {}

    /** One sentence without its stop. */
    static String remedy(WcStatus status) {
        return switch (status) {
            case LOC_LEN_ERR ->
                "make the elements as long as what comes, and no longer than max_msg_sz and the MTU of the service permit";
            case LOC_QP_OP_ERR -> "post what this queue pair was created and connected for";
            case LOC_PROT_ERR, LOC_ACCESS_ERR ->
                "let each element lie within a region that is registered, in the domain of the queue pair and with LOCAL_WRITE where the"
                        + " device writes, until its request completes";
            case WR_FLUSH_ERR ->
                "look at what took the queue pair to ERR, and treat a flushed request as one that may or may not have been executed";
            case MW_BIND_ERR ->
                "bind and invalidate a window of type 2 in turn, over one queue pair, within a region with MW_BIND, and only by keys that"
                        + " are valid";
            case BAD_RESP_ERR -> "look at the answer of the peer: it does not fit the request";
            case REM_INV_REQ_ERR ->
                "send what the peer can take: receives that are long enough, rights for the operation, aligned words for atomics, and no"
                        + " more outstanding READs and atomics than its max_dest_rd_atomic";
            case REM_ACCESS_ERR ->
                "use a key of the peer that is valid, for bytes within what it covers, and for what its rights and those of the queue"
                        + " pair permit";
            case REM_OP_ERR -> "look at the peer: its own receive or memory has failed it";
            case RETRY_EXC_ERR, RESP_TIMEOUT_ERR ->
                "see that the peer is there and its queue pair in RTR or RTS, and allow more or longer retries than a cut lasts";
            case RNR_RETRY_EXC_ERR -> "post receives before the peer may send, or give rnr_retry=7 to wait for ever";
            default -> "look at the request and at the peer's state: the status says no more";
        };
    }
}

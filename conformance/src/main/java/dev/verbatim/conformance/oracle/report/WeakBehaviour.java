// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.report;

/** Permitted behaviours that are weaker than the default: the catalogue F.4, as far as a trace shows them. */
public enum WeakBehaviour {
    /** A READ fetched its bytes after a later request had taken effect. */
    READ_OVERTAKEN("N1", "ORD-13"),
    /** A request gathered from bytes that an earlier READ or atomic had still to fill. */
    STALE_SOURCE("N2", "ORD-14"),
    /** Bytes became visible to programs while bytes that were accepted before them did not. */
    PLACED_OUT_OF_ORDER("N3", "ORD-34"),
    /** A request completed after a later one of its queue had taken effect. */
    LATE_COMPLETION("N4", "ORD-34"),
    /** A LOCAL_INV took effect before earlier requests were complete. */
    EARLY_INVALIDATION("N5", "ORD-18"),
    /** One ACK answered for several messages. */
    COALESCED_ACK("N4", "ACK-04"),
    /** Requests of different queue pairs completed in another order than they were posted. */
    QUEUE_PAIRS_INTERLEAVED("N6", "ORD-21"),
    /** A request was refused after part of it had been placed. */
    PREFIX_PLACED("N7", "MR-54"),
    /** A request that was executed completed with an error. */
    EXECUTED_BUT_FAILED("N8", "QP-22"),
    /** A packet was accepted with bytes that were gathered when it was sent again. */
    NEWER_SOURCE("N9", "ORD-35"),
    /** Bytes of a READ were fetched again, and had changed. */
    READ_AGAIN("N13", "DUP-02"),
    /** A packet of a READ was fetched in parts, between which other things could happen. */
    FETCHED_IN_PARTS("N18", "ORD-40"),
    /** A message found no receive and was answered with an RNR NAK. */
    RECEIVER_NOT_READY("N15", "RT-04"),
    /** A receive completed with the error of the message that took it. */
    RECEIVE_CONSUMED_BY_ERROR("N16", "WC-24");

    private final String number;
    private final String rule;

    WeakBehaviour(String number, String rule) {
        this.number = number;
        this.rule = rule;
    }

    /** Its number in the catalogue. */
    String number() {
        return number;
    }

    /** The rule that permits it. */
    String rule() {
        return rule;
    }
}

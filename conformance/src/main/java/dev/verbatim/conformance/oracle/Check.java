// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

/** What the oracle checks: a rule each. S, X, P, L and C are the events of the ordering model. */
public enum Check {
    /** The device reads what it wrote: bytes that it gathers or fetches are those that it sees there. */
    DEVICE_VIEW("ORD-01"),
    /** Completions of a send queue come in post order; success implies that all earlier requests succeeded. */
    COMPLETION_ORDER("ORD-10"),
    /** The responder executes in the order of the requests what follows a SEND, WRITE or atomic. */
    EXECUTION_ORDER("ORD-11"),
    /** READs are executed in their order. */
    READ_ORDER("ORD-12"),
    /** S before X before C, L before C. */
    COMPLETION_AFTER_EFFECT("ORD-15"),
    /** A fenced request starts after the results of all earlier READs and atomics have landed. */
    FENCE("ORD-19"),
    /** Requests start in post order, and only while the queue pair may send. */
    START_ORDER("ORD-20"),
    /** Receives are consumed and completed in the order of the messages. */
    RECEIVE_ORDER("ORD-30"),
    /**
     * Programs see the bytes of a message and of all earlier ones at the completion of its receive, when a later atomic is
     * done, and when a later READ completes.
     */
    VISIBLE_WHEN_PROMISED("ORD-31"),
    /** Bytes that programs see are those that were placed and shown. */
    PROGRAM_VIEW("ORD-34"),
    /** Responses are sent in the order of the requests; no ACK precedes a response before it. */
    RESPONSE_ORDER("ORD-36"),
    /** Each atomic finds what the one before it left. */
    ATOMIC_SERIAL("ORD-37"),
    /** An ACK says that everything up to it was executed. */
    ACKNOWLEDGED_EXECUTED("ACK-04"),
    /** What was accepted is not placed twice. */
    PLACED_ONCE("DUP-01"),
    /** What was done atomically is not done twice. */
    ATOMIC_ONCE("DUP-03"),
    /** Bytes are where the request has them, and inside of what the key is for. */
    ADDRESS("MR-20"),
    /** Nothing touches memory by a key that was revoked, and nothing that was placed by it is shown later. */
    REVOKED("MR-54"),
    /** Packet sequence numbers are given without a gap. */
    PSN("PSN-03"),
    /** Requests complete with an error only after the queue pair is in ERR. */
    ERROR_STATE("QP-22"),
    /** A completion tells the right operation and length. */
    COMPLETION_FIELDS("WC-02"),
    /** Each request has one completion if it is to have one, and none otherwise. */
    ONE_COMPLETION("WC-03"),
    /** After the first error of a work queue everything is flushed. */
    FLUSH("WC-05"),
    /** Nothing takes effect in a queue pair that is in ERR. */
    EFFECT_AFTER_ERROR("WC-06"),
    /** The bytes of a SEND are those that were gathered. */
    SEND_DATA("WR-30"),
    /** The bytes of a WRITE are those that were gathered. */
    WRITE_DATA("WR-31"),
    /** A READ returns the bytes that were fetched. */
    READ_DATA("WR-32"),
    /** An atomic computes what it should. */
    ATOMIC_RESULT("WR-36");

    private final String rule;

    Check(String rule) {
        this.rule = rule;
    }

    /** Id of the rule. */
    public String rule() {
        return rule;
    }
}

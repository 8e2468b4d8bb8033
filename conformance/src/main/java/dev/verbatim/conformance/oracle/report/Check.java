// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.report;

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
    /** A bind has taken effect before anything behind it starts. */
    BIND_ORDER("ORD-16"),
    /** A LOCAL_INV has taken effect before anything behind it starts. */
    INVALIDATION_ORDER("ORD-17"),
    /** A fenced LOCAL_INV takes effect after all earlier requests are complete. */
    FENCED_INVALIDATION("ORD-18"),
    /** A fenced request starts after the results of all earlier READs and atomics have landed. */
    FENCE("ORD-19"),
    /** Requests start in post order, and only while the queue pair may send; binds and invalidations too. */
    START_ORDER("ORD-20"),
    /** Receives are consumed and completed in the order of the messages. */
    RECEIVE_ORDER("ORD-30"),
    /**
     * Programs see the bytes of a message and of all earlier ones at the completion of its receive, when a later atomic is
     * done, and when a later READ completes; and what a FLUSH names, when that completes (NW-02).
     */
    VISIBLE_WHEN_PROMISED("ORD-31"),
    /** Bytes that programs see are those that were placed and shown. */
    PROGRAM_VIEW("ORD-34"),
    /** Responses are sent in the order of the requests; no ACK precedes a response before it. */
    RESPONSE_ORDER("ORD-36"),
    /** Each atomic finds what the one before it left. */
    ATOMIC_SERIAL("ORD-37"),
    /** What is gathered or fetched in parts is not cut within an aligned word. */
    WHOLE_WORDS("ORD-37"),
    /** A SEND_WITH_INV invalidates after everything but READs that was asked before it. */
    REMOTE_INVALIDATION_ORDER("ORD-39"),
    /** An ACK acknowledges that everything up to it was executed. */
    ACKNOWLEDGED_EXECUTED("ACK-04"),
    /** What was accepted is not placed twice. */
    PLACED_ONCE("DUP-01"),
    /** What was done atomically is not done twice. */
    ATOMIC_ONCE("DUP-03"),
    /** Bytes are where the request has them, and inside of what the key is for. */
    ADDRESS("MR-20"),
    /** Nothing touches memory by a key that was revoked, and nothing that was placed by it is shown later. */
    REVOKED("MR-54"),
    /** No two valid keys of a device are equal. */
    KEYS_UNIQUE("KEY-P1"),
    /** A message that began under one binding of a window does not go on under another that has the same key. */
    ONE_BINDING("KEY-P2"),
    /** A key that the device chose comes again on its index only after 255 others. */
    KEY_FRESH("KEY-P3"),
    /** A window of type 2 has the key that its bind asked for. */
    KEY_CHOSEN("KEY-P4"),
    /** What follows on an index has another key than the last there. */
    KEY_RECYCLED("KEY-P5"),
    /** Index 0 is given to no key. */
    KEY_INDEX("KEY-P7"),
    /** Nothing is touched by the key of a window that was deallocated, nor shown later. */
    WINDOW_GONE("MW-07"),
    /** Each bind of a window of type 1 asks for the key after that of the one before. */
    KEY_ADVANCES("MW-20"),
    /** When a window of type 1 is bound again, its old key is invalid before the new one is valid. */
    REBOUND_AT_ONCE("MW-23"),
    /** A window of type 2 is bound only when it is free. */
    BOUND_WHEN_FREE("MW-32"),
    /** Nothing is touched through a window outside of its region. */
    WINDOW_IN_REGION("MW-52"),
    /** A window has the range and the rights that its bind asked for. */
    BOUND_AS_ASKED("MW-64"),
    /** A LOCAL_INV invalidates the window of type 2 that has this key and was bound over its queue pair. */
    INVALIDATED_OWN("MW-80"),
    /** A bind or LOCAL_INV that fails changes nothing. */
    FAILURE_WITHOUT_EFFECT("MW-81"),
    /** A SEND_WITH_INV invalidates after its data is placed and before its receive completes. */
    REMOTE_INVALIDATION("MW-84"),
    /** A SEND_WITH_INV invalidates a window of type 2 that was bound over the queue pair that it came to. */
    REMOTELY_INVALIDATED_OWN("MW-85"),
    /** A SEND_WITH_INV invalidates once. */
    INVALIDATED_ONCE("MW-89"),
    /**
     * Nothing is touched by the key of a window that was revoked, and nothing is shown that was placed by it when the
     * revocation has completed.
     */
    WINDOW_REVOKED("MW-92"),
    /** A window of type 2 is used through the queue pair that it was bound over. */
    WINDOW_OF_ANOTHER("MW-104"),
    /** Nothing is touched by a key of a window that it is not bound with. */
    WINDOW_UNBOUND("MW-105"),
    /** Nothing is done through a window that it gives no right to. */
    WINDOW_RIGHTS("MW-106"),
    /** Bytes are where the request has them, counted as the window counts them, and inside of the window. */
    WINDOW_RANGE("MW-107"),
    /** Nothing is touched through a window whose region is gone. */
    WINDOW_ORPHANED("MW-108"),
    /** A window's key is no local key. */
    WINDOW_KEY_AS_LOCAL("MW-111"),
    /** Packet sequence numbers are given without a gap. */
    PSN("PSN-03"),
    /** Each receive of a shared queue is taken once, by one queue pair. */
    SHARED_RECEIVE_ONCE("SRQ-02"),
    /** The event of a shared queue's limit comes once for each time that it was armed, when fewer receives are left. */
    SHARED_RECEIVE_LIMIT("SRQ-04"),
    /** A message over UC completes its receive once, in the order of the messages, and only if all of it arrived. */
    WHOLE_MESSAGE("UC-01"),
    /** A datagram that came completes at most one receive, with its bytes behind the room for its GRH. */
    DATAGRAM_ONCE("UD-01"),
    /** A queue pair with shared receives raises LAST_WQE_REACHED once, in ERR. */
    LAST_SHARED_RECEIVE("QP-25"),
    /** A queue pair raises COMM_EST once, in RTR. */
    ESTABLISHED_ONCE("QP-27"),
    /** Requests complete with an error only after the queue pair is in ERR. */
    ERROR_STATE("QP-22"),
    /** A completion has the right operation and length. */
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
    ATOMIC_RESULT("WR-36"),
    /** An untraced peer answers the requests that it was sent, and nothing else. */
    PEER_ANSWERS("ACK-02", true),
    /** Its message sequence numbers count the messages that it was sent. */
    PEER_MESSAGE_COUNT("ACK-05", true),
    /** Its responses have the kind, the place and the length that the request asks for. */
    PEER_RESPONSE("PSN-03", true),
    /** Its ACKs and NAKs are some that there are, and that the request can have. */
    PEER_SYNDROME("ACK-01", true),
    /** It answers nothing behind a request that it refused. */
    PEER_SILENCE("WC-06", true),
    /** Its READ responses have bytes that can stand there. */
    PEER_READ_DATA("WR-32", true),
    /** Its atomics find what the one before them left. */
    PEER_ATOMIC("ORD-37", true),
    /** It does nothing by a key that it does not have, or outside of its range. */
    PEER_KEY("MR-20", true),
    /** It does nothing by a key that a SEND_WITH_INV invalidated. */
    PEER_INVALIDATED("MW-84", true),
    /** Its requests are packets of whole messages of the length that they say. */
    PEER_REQUEST("WR-31", true),
    /** A request that it repeats is the one that it sent. */
    PEER_REPEATS("DUP-01", true),
    /** Its requests complete when they were answered. */
    PEER_COMPLETION("ORD-15", true),
    /** Its completions have the right operation and length. */
    PEER_COMPLETION_FIELDS("WC-02", true),
    /** Each of its requests and receives completes at most once, and receives in their order. */
    PEER_COMPLETION_ONCE("WC-03", true),
    /** After its first error nothing of the queue succeeds. */
    PEER_FLUSH("WC-05", true),
    /** What it acknowledged was received. */
    PEER_RECEIVES("ORD-30", true),
    /** At the end its memory has what was written to it, and nothing else. */
    PEER_MEMORY("ORD-01", true);

    private final String rule;
    private final boolean ofPeer;

    Check(String rule) {
        this(rule, false);
    }

    Check(String rule, boolean ofPeer) {
        this.rule = rule;
        this.ofPeer = ofPeer;
    }

    /** Whether it is made of a peer whose device is not in the trace. */
    public boolean isOfPeer() {
        return ofPeer;
    }

    /** Id of the rule. */
    public String rule() {
        return rule;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

/** What this transport holds at most, for how long it waits, and how much it does in one go. */
final class TransportLimits {

    /** BTH to pad: a payload of the largest path MTU, behind the longest headers. */
    static final int LARGEST_PACKET_BYTES = 4096 + 64;

    /** A BTH alone. */
    static final int SMALLEST_PACKET_BYTES = 12;

    /** What a connection reads into: many packets a read, and always room for one more. */
    static final int READ_BUFFER_BYTES = 128 * 1024;

    /** What a connection writes from: many packets a write. */
    static final int WRITE_BATCH_BYTES = 128 * 1024;

    /** Reads from one connection before others have their turn. */
    static final int MOST_READS_IN_A_ROW = 4;

    /** Times that a step answers doorbells and lets links send before it lets the loop look at its sockets again. */
    static final int MOST_ROUNDS_OF_A_STEP = 4;

    /** Calls of other threads that the lane runs before doorbells and links have their turn. */
    static final int MOST_CALLS_IN_A_ROW = 64;

    /** Packets that a link pulls before others have their turn. */
    static final int MOST_PULLS_IN_A_ROW = 4096;

    /** Time for which a thread parks that drives its own loop; what other threads bring about it sees by then. */
    static final long LONGEST_PARK_NANOS = 10_000_000L;

    /** Pause before a dial is tried again for the first time; it doubles each time. */
    static final long FIRST_PAUSE_NANOS = 10_000_000L;

    /** Longest pause between two tries of a dial. */
    static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;

    /** Lines that one fabric logs in one second; those beyond are counted. */
    static final int MOST_LOG_LINES_PER_SECOND = 16;

    /** Idle time after which the operating system asks whether the other end still lives, where it lets us choose. */
    static final int KEEPALIVE_IDLE_SECONDS = 10;

    /** Pause between two such questions. */
    static final int KEEPALIVE_PAUSE_SECONDS = 5;

    /** Questions without an answer that end a connection. */
    static final int KEEPALIVE_TRIES = 3;

    /** Longest line of an out-of-band exchange, without its end. */
    static final int LONGEST_LINE_BYTES = 1024;

    /** Shortest shared secret: 128 bits. */
    static final int SHORTEST_SECRET_BYTES = 16;

    /** Longest shared secret in a file. */
    static final int LONGEST_SECRET_BYTES = 4096;

    /** Longest file of certificates or of a key: some hundred certificates. */
    static final int LONGEST_PEM_BYTES = 1024 * 1024;

    private TransportLimits() {}
}

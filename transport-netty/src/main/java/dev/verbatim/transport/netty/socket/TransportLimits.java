// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import dev.verbatim.wire.SegmentRun;

/** What this transport holds at most, for how long it waits, and how much it does in one go. */
public final class TransportLimits {

    /** BTH to pad: a payload of the largest path MTU, behind the longest headers. */
    public static final int LARGEST_PACKET_BYTES = 4096 + 64;

    /** The same for a run, which has more payload. */
    public static final int LARGEST_RUN_BYTES = SegmentRun.MOST_BYTES + 64;

    /** Packets of a run that is copied into the batch. */
    public static final int MOST_PACKETS_OF_COPIED_RUN = 16;

    /** Pieces of memory from which one batch is written, or those of one packet more. */
    public static final int MOST_PIECES_OF_BATCH = 64;

    /** A shorter piece is copied into the batch; a longer one is written from where it lies. */
    public static final int SHORTEST_VIEW_BYTES = 8 * 1024;

    /** Payload of several messages that one batch writes from where it lies, or one packet more: what stays in the cache on its way. */
    public static final int MOST_VIEWED_BYTES_OF_MESSAGES = 256 * 1024;

    /** Payload of one message that one batch writes from where it lies, or one packet more. */
    public static final int MOST_VIEWED_BYTES = 1024 * 1024;

    /** A shorter payload is read with what surrounds it, and copied; a longer one lands in its destination. */
    public static final int SHORTEST_LANDING_BYTES = 16 * 1024;

    /** Payload of the longest run. */
    public static final int LONGEST_LANDING_BYTES = SegmentRun.MOST_BYTES;

    /** What is read behind a payload that lands: the frame's end and, mostly, the head of the next one. */
    public static final int PEEK_BYTES = 256;

    /** With more connections than that, a thread that drives its loop asks which of them to read. */
    public static final int MOST_DIRECTLY_READ = 4;

    /** Bytes that land before others have their turn. */
    public static final int MOST_LANDED_IN_A_ROW_BYTES = 1024 * 1024;

    /** A BTH alone. */
    public static final int SMALLEST_PACKET_BYTES = 12;

    /** What a connection reads into: many packets a read, and always room for one more. */
    public static final int READ_BUFFER_BYTES = 128 * 1024;

    /** What a connection writes from: many packets a write. */
    public static final int WRITE_BATCH_BYTES = 128 * 1024;

    /** Reads from one connection before others have their turn. */
    public static final int MOST_READS_IN_A_ROW = 4;

    /** Times that a step answers doorbells and lets links send before it lets the loop look at its sockets again. */
    public static final int MOST_ROUNDS_OF_A_STEP = 4;

    /** Packets that a link pulls before others have their turn. */
    public static final int MOST_PULLS_IN_A_ROW = 4096;

    /** The same while a thread waits for the lane. */
    public static final int MOST_PULLS_WHILE_OTHERS_WAIT = 64;

    /** The same as a rule for a link between devices of one fabric, which brings them to their place as well. */
    public static final int MOST_LOCAL_PULLS_IN_A_ROW = 256;

    /** Time for which a thread parks that drives its own loop; what other threads bring about it sees by then. */
    public static final long LONGEST_PARK_NANOS = 10_000_000L;

    /** Pause before a dial is tried again for the first time; it doubles each time. */
    public static final long FIRST_PAUSE_NANOS = 10_000_000L;

    /** Tries of a dial that is refused for a reason which stays, unless it is just passing: 70 ms with the pauses. */
    public static final int MOST_SHORT_TRIES = 4;

    /** Longest pause between two tries of a dial. */
    public static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;

    /** Accepted connections at a time that have not said their hello. */
    public static final int MOST_NEWCOMERS = 128;

    /** Unused links without a connection that are kept for a while. */
    public static final int MOST_LINGERING_LINKS = 1024;

    /** Lines that one fabric logs in one second; those beyond are counted. */
    public static final int MOST_LOG_LINES_PER_SECOND = 16;

    /** Idle time after which the operating system asks whether the other end still lives, where it lets us choose. */
    public static final int KEEPALIVE_IDLE_SECONDS = 10;

    /** Pause between two such questions. */
    public static final int KEEPALIVE_PAUSE_SECONDS = 5;

    /** Questions without an answer that end a connection. */
    public static final int KEEPALIVE_TRIES = 3;

    /** Longest line of an out-of-band exchange, without its end. */
    public static final int LONGEST_LINE_BYTES = 1024;

    /** Shortest shared secret: 128 bits. */
    public static final int SHORTEST_SECRET_BYTES = 16;

    /** Longest shared secret in a file. */
    public static final int LONGEST_SECRET_BYTES = 4096;

    /** Longest file of certificates or of a key: some hundred certificates. */
    public static final int LONGEST_PEM_BYTES = 1024 * 1024;

    private TransportLimits() {}
}

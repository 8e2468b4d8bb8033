// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.profile.DeviceLimits;

/**
 * How many packets of requests may be unacknowledged, and how often one of them asks for an acknowledgement (PSN-04).
 *
 * <p>Most links take the bound of the device. A link whose buffers overflow has one of its own, and there go-back-N backs off as
 * TCP does: after a loss half as many packets are sent at a time; each window that is acknowledged adds one packet, or, until the
 * first loss, as many as were acknowledged.
 */
final class SendWindow {

    /** A longer READ is asked for in several requests, so that outstanding PSNs stay well below 2^23 (PSN-04). */
    static final int MOST_PACKETS_OF_A_READ_REQUEST = 1 << 22;

    private static final int LEAST_PACKETS = 4;
    private static final int FIRST_PACKETS = 32;
    private static final int ACKNOWLEDGEMENTS_OF_A_WINDOW = 4;

    private int most = DeviceLimits.MAX_UNACKNOWLEDGED_PACKETS;
    private int size = DeviceLimits.MAX_UNACKNOWLEDGED_PACKETS;
    private boolean adapts;
    private int threshold;
    private int acknowledged;

    /** A queue pair begins to send over a link with that window; 0 for the bound of the device. */
    void begin(int linkPackets) {
        adapts = linkPackets > 0;
        most = adapts ? linkPackets : DeviceLimits.MAX_UNACKNOWLEDGED_PACKETS;
        size = adapts ? Math.min(FIRST_PACKETS, most) : most;
        threshold = most;
        acknowledged = 0;
    }

    /** Packets that may be unacknowledged now. */
    int packets() {
        return size;
    }

    /** One packet in so many of a message asks for an acknowledgement, and the last one. */
    int ackRequestInterval() {
        return adapts ? Math.max(1, size / ACKNOWLEDGEMENTS_OF_A_WINDOW) : DeviceLimits.ACK_REQUEST_INTERVAL_PACKETS;
    }

    /** Packets that one READ request asks for at most; the same all the time, so that parts begin at the same places. */
    int mostPacketsOfReadRequest() {
        return adapts ? most : MOST_PACKETS_OF_A_READ_REQUEST;
    }

    /**
     * How many packets the READ request asks for that goes on behind {@code done}. Parts begin at the same places each
     * time, so a request that is repeated lies within the one that the responder remembers (DUP-02).
     */
    static int packetsOfPart(int done, int packets, int most) {
        return Math.min(packets - done, most - done % most);
    }

    /** So many packets were acknowledged. */
    void acknowledged(int packets) {
        if (!adapts || size == most) {
            return;
        }
        if (size < threshold) {
            size = Math.min(most, size + packets);
            return;
        }
        acknowledged += packets;
        if (acknowledged >= size) {
            acknowledged = 0;
            size++;
        }
    }

    /** Packets were lost. */
    void lost() {
        if (adapts) {
            size = Math.max(Math.min(LEAST_PACKETS, most), size / 2);
            threshold = size;
            acknowledged = 0;
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.profile;

/**
 * The limits of a device. They are enforced when objects are created, and reported as device attributes.
 *
 * @param maxPd protection domains
 * @param maxMr memory regions, at most 2^19-1
 * @param maxMw memory windows, at most 2^23
 * @param maxQp queue pairs, at most 2^24-2
 * @param maxQpWr work requests of one queue
 * @param maxSge elements of one work request
 * @param maxInlineDataBytes bytes posted inline
 * @param maxCq completion queues
 * @param maxCqe entries of one completion queue
 * @param maxAh address handles
 * @param maxSrq shared receive queues
 * @param maxSrqWr receives of one shared receive queue
 * @param maxSrqSge elements of one receive of a shared receive queue
 * @param maxXrcd XRC domains
 * @param maxQpRdAtom READs and atomics outstanding at a queue pair as responder
 * @param maxQpInitRdAtom READs and atomics outstanding at a queue pair as requester
 * @param completionVectors completion vectors
 * @param activeMtuBytes largest path MTU of the port: 256, 512, 1024, 2048 or 4096
 * @param maxMrSizeBytes bytes of one memory region, unsigned: -1 for as many as an address has room for
 */
public record DeviceLimits(
        int maxPd,
        int maxMr,
        int maxMw,
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxInlineDataBytes,
        int maxCq,
        int maxCqe,
        int maxAh,
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxXrcd,
        int maxQpRdAtom,
        int maxQpInitRdAtom,
        int completionVectors,
        int activeMtuBytes,
        long maxMrSizeBytes) {

    /** Default of {@link #maxMrSizeBytes}: what a process of Linux can address on x86-64. */
    public static final long DEFAULT_MR_SIZE_BYTES = 1L << 47;

    /** Limits with the default size of memory regions. */
    public DeviceLimits(
            int maxPd,
            int maxMr,
            int maxMw,
            int maxQp,
            int maxQpWr,
            int maxSge,
            int maxInlineDataBytes,
            int maxCq,
            int maxCqe,
            int maxAh,
            int maxSrq,
            int maxSrqWr,
            int maxSrqSge,
            int maxXrcd,
            int maxQpRdAtom,
            int maxQpInitRdAtom,
            int completionVectors,
            int activeMtuBytes) {
        this(
                maxPd,
                maxMr,
                maxMw,
                maxQp,
                maxQpWr,
                maxSge,
                maxInlineDataBytes,
                maxCq,
                maxCqe,
                maxAh,
                maxSrq,
                maxSrqWr,
                maxSrqSge,
                maxXrcd,
                maxQpRdAtom,
                maxQpInitRdAtom,
                completionVectors,
                activeMtuBytes,
                DEFAULT_MR_SIZE_BYTES);
    }

    /** Maximum message size in bytes (MR-33). */
    public static final long MAX_MESSAGE_BYTES = 1L << 31;

    /** Bytes of memory of a device that has some (DM-01). */
    public static final int DEVICE_MEMORY_BYTES = 1 << 18;

    /** Ports of a device. */
    public static final int PHYSICAL_PORTS = 1;

    /** Entries of the partition key table. */
    public static final int MAX_PKEYS = 1;

    /** The only partition key: full member of the default partition. */
    public static final int DEFAULT_PKEY = 0xffff;

    /** Packets of requests that may be on their way without an acknowledgement (PSN-04). */
    public static final int MAX_UNACKNOWLEDGED_PACKETS = 4096;

    /** A request packet asks for an acknowledgement at least this often within a long message (PSN-04). */
    public static final int ACK_REQUEST_INTERVAL_PACKETS = 64;

    /** Asynchronous events kept for a program that does not read them; later ones are dropped with a log line. */
    public static final int MAX_UNREAD_ASYNC_EVENTS = 1 << 16;

    /** Management datagrams that may wait to be sent; more are dropped. */
    public static final int MAX_UNSENT_MADS = 1 << 16;

    /** The same for one peer, so that one that takes nothing keeps no other from being answered. */
    public static final int MAX_UNSENT_MADS_TO_ONE_PEER = 256;

    /**
     * READs and atomics outstanding at a queue pair. Many, since short ones that cross together share the cost of a system call; fewer
     * than the 255 that a connection request can name, so that one for too many can be told from one for as many as there are.
     */
    private static final int MOST_QP_RD_ATOM = 240;

    /** The default limits. */
    public static final DeviceLimits DEFAULT = new DeviceLimits(
            1 << 16,
            (1 << 19) - 1,
            1 << 20,
            1 << 18,
            1 << 15,
            32,
            1024,
            1 << 16,
            1 << 22,
            1 << 16,
            1 << 16,
            1 << 15,
            32,
            1 << 12,
            MOST_QP_RD_ATOM,
            MOST_QP_RD_ATOM,
            64,
            4096);

    /** The same limits with room for so many bytes posted inline. */
    DeviceLimits withMaxInlineData(int bytes) {
        return new DeviceLimits(
                maxPd,
                maxMr,
                maxMw,
                maxQp,
                maxQpWr,
                maxSge,
                bytes,
                maxCq,
                maxCqe,
                maxAh,
                maxSrq,
                maxSrqWr,
                maxSrqSge,
                maxXrcd,
                maxQpRdAtom,
                maxQpInitRdAtom,
                completionVectors,
                activeMtuBytes,
                maxMrSizeBytes);
    }

    /** The same limits with so many READs and atomics outstanding at a queue pair, as requester and as responder. */
    DeviceLimits withQpRdAtom(int count) {
        return new DeviceLimits(
                maxPd,
                maxMr,
                maxMw,
                maxQp,
                maxQpWr,
                maxSge,
                maxInlineDataBytes,
                maxCq,
                maxCqe,
                maxAh,
                maxSrq,
                maxSrqWr,
                maxSrqSge,
                maxXrcd,
                count,
                count,
                completionVectors,
                activeMtuBytes,
                maxMrSizeBytes);
    }

    /** The same limits with regions of that size. */
    public DeviceLimits withMaxMrSizeBytes(long bytes) {
        return new DeviceLimits(
                maxPd,
                maxMr,
                maxMw,
                maxQp,
                maxQpWr,
                maxSge,
                maxInlineDataBytes,
                maxCq,
                maxCqe,
                maxAh,
                maxSrq,
                maxSrqWr,
                maxSrqSge,
                maxXrcd,
                maxQpRdAtom,
                maxQpInitRdAtom,
                completionVectors,
                activeMtuBytes,
                bytes);
    }
}

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
 * @param physicalPorts ports of the device, 1 to {@value #MOST_PHYSICAL_PORTS}
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
        long maxMrSizeBytes,
        int physicalPorts) {

    /** Default of {@link #maxMrSizeBytes}: what a process of Linux can address on x86-64. */
    public static final long DEFAULT_MR_SIZE_BYTES = 1L << 47;

    /** Maximum message size in bytes (MR-33). */
    public static final long MAX_MESSAGE_BYTES = 1L << 31;

    /** Bytes of memory of a device that has some (DM-01). */
    public static final int DEVICE_MEMORY_BYTES = 1 << 18;

    /** Ports of a device, at most. */
    public static final int MOST_PHYSICAL_PORTS = 4;

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
            4096,
            DEFAULT_MR_SIZE_BYTES,
            1);

    /**
     * Checks the number of ports.
     *
     * @throws IllegalArgumentException if it is not in its range
     */
    public DeviceLimits {
        if (physicalPorts < 1 || physicalPorts > MOST_PHYSICAL_PORTS) {
            throw new IllegalArgumentException(
                    "physicalPorts=" + physicalPorts + " is not in 1.." + MOST_PHYSICAL_PORTS);
        }
    }

    /** A builder that begins with these limits. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Changes single limits. */
    public static final class Builder {

        private int maxPd;
        private int maxMr;
        private int maxMw;
        private int maxQp;
        private int maxQpWr;
        private int maxSge;
        private int maxInlineDataBytes;
        private int maxCq;
        private int maxCqe;
        private int maxAh;
        private int maxSrq;
        private int maxSrqWr;
        private int maxSrqSge;
        private int maxXrcd;
        private int maxQpRdAtom;
        private int maxQpInitRdAtom;
        private int completionVectors;
        private int activeMtuBytes;
        private long maxMrSizeBytes;
        private int physicalPorts;

        private Builder(DeviceLimits limits) {
            maxPd = limits.maxPd;
            maxMr = limits.maxMr;
            maxMw = limits.maxMw;
            maxQp = limits.maxQp;
            maxQpWr = limits.maxQpWr;
            maxSge = limits.maxSge;
            maxInlineDataBytes = limits.maxInlineDataBytes;
            maxCq = limits.maxCq;
            maxCqe = limits.maxCqe;
            maxAh = limits.maxAh;
            maxSrq = limits.maxSrq;
            maxSrqWr = limits.maxSrqWr;
            maxSrqSge = limits.maxSrqSge;
            maxXrcd = limits.maxXrcd;
            maxQpRdAtom = limits.maxQpRdAtom;
            maxQpInitRdAtom = limits.maxQpInitRdAtom;
            completionVectors = limits.completionVectors;
            activeMtuBytes = limits.activeMtuBytes;
            maxMrSizeBytes = limits.maxMrSizeBytes;
            physicalPorts = limits.physicalPorts;
        }

        /** Protection domains. */
        public Builder maxPd(int value) {
            maxPd = value;
            return this;
        }

        /** Memory regions, at most 2^19-1. */
        public Builder maxMr(int value) {
            maxMr = value;
            return this;
        }

        /** Memory windows, at most 2^23. */
        public Builder maxMw(int value) {
            maxMw = value;
            return this;
        }

        /** Queue pairs, at most 2^24-2. */
        public Builder maxQp(int value) {
            maxQp = value;
            return this;
        }

        /** Work requests of one queue. */
        public Builder maxQpWr(int value) {
            maxQpWr = value;
            return this;
        }

        /** Elements of one work request. */
        public Builder maxSge(int value) {
            maxSge = value;
            return this;
        }

        /** Bytes posted inline. */
        public Builder maxInlineDataBytes(int value) {
            maxInlineDataBytes = value;
            return this;
        }

        /** Completion queues. */
        public Builder maxCq(int value) {
            maxCq = value;
            return this;
        }

        /** Entries of one completion queue. */
        public Builder maxCqe(int value) {
            maxCqe = value;
            return this;
        }

        /** Address handles. */
        public Builder maxAh(int value) {
            maxAh = value;
            return this;
        }

        /** Shared receive queues. */
        public Builder maxSrq(int value) {
            maxSrq = value;
            return this;
        }

        /** Receives of one shared receive queue. */
        public Builder maxSrqWr(int value) {
            maxSrqWr = value;
            return this;
        }

        /** Elements of one receive of a shared receive queue. */
        public Builder maxSrqSge(int value) {
            maxSrqSge = value;
            return this;
        }

        /** XRC domains. */
        public Builder maxXrcd(int value) {
            maxXrcd = value;
            return this;
        }

        /** READs and atomics outstanding at a queue pair as responder. */
        public Builder maxQpRdAtom(int value) {
            maxQpRdAtom = value;
            return this;
        }

        /** READs and atomics outstanding at a queue pair as requester. */
        public Builder maxQpInitRdAtom(int value) {
            maxQpInitRdAtom = value;
            return this;
        }

        /** Completion vectors. */
        public Builder completionVectors(int value) {
            completionVectors = value;
            return this;
        }

        /** Largest path MTU of the port: 256, 512, 1024, 2048 or 4096. */
        public Builder activeMtuBytes(int value) {
            activeMtuBytes = value;
            return this;
        }

        /** Bytes of one memory region, unsigned: -1 for as many as an address has room for. */
        public Builder maxMrSizeBytes(long value) {
            maxMrSizeBytes = value;
            return this;
        }

        /** Ports of the device, 1 to {@value DeviceLimits#MOST_PHYSICAL_PORTS}. */
        public Builder physicalPorts(int value) {
            physicalPorts = value;
            return this;
        }

        /** READs and atomics outstanding at a queue pair, as requester and as responder. */
        Builder qpRdAtom(int count) {
            return maxQpRdAtom(count).maxQpInitRdAtom(count);
        }

        /** The limits. */
        public DeviceLimits build() {
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
                    maxMrSizeBytes,
                    physicalPorts);
        }

        @Override
        public String toString() {
            return "builder of " + build();
        }
    }
}

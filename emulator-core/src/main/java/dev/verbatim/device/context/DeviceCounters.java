// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.verbs.DeviceCounter;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a device has counted. On the lane. Packets are counted in fields by {@link QpTrace}, which sees each of them; all else is
 * rare.
 */
public final class DeviceCounters {

    private static final DeviceCounter[] COUNTERS = DeviceCounter.values();

    long sentPackets;
    long receivedPackets;

    private final long[] others = new long[COUNTERS.length];

    /** Counts one more. */
    public void count(DeviceCounter counter) {
        others[counter.ordinal()]++;
    }

    /** A packet that was counted was a run of these many. */
    public void sentRun(int packets) {
        sentPackets += packets - 1;
    }

    /** Packets that queue pairs received. */
    public long received() {
        return receivedPackets;
    }

    /** What was counted as one packet was more, or is going to be counted again. */
    public void correctReceived(int packets) {
        receivedPackets += packets;
    }

    /** All counters, in their order; gauges are 0. */
    public Map<DeviceCounter, Long> snapshot() {
        Map<DeviceCounter, Long> snapshot = new EnumMap<>(DeviceCounter.class);
        for (DeviceCounter counter : COUNTERS) {
            snapshot.put(counter, others[counter.ordinal()]);
        }
        snapshot.put(DeviceCounter.SENT_PKTS, sentPackets);
        snapshot.put(DeviceCounter.RCVD_PKTS, receivedPackets);
        return snapshot;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.page;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Joins the traces of one run that several processes have written. The clocks of processes need not agree, so only packets
 * order their events: a packet is received after it was sent. Where packets say nothing, times decide.
 */
public final class TraceMerge {

    private final List<List<TraceLine>> traces;
    private final int[] next;
    private final List<Set<String>> sends = new ArrayList<>();
    private final Map<String, Integer> underWay = new HashMap<>();

    private TraceMerge(List<List<TraceLine>> traces) {
        this.traces = traces;
        this.next = new int[traces.size()];
        for (List<TraceLine> trace : traces) {
            Set<String> flows = new HashSet<>();
            trace.stream().filter(line -> line.isOf("sent")).forEach(line -> flows.add(String.valueOf(line.flow())));
            sends.add(flows);
        }
    }

    /** All lines, those of each trace in their order. */
    public static List<TraceLine> of(List<List<TraceLine>> traces) {
        return new TraceMerge(traces).merge();
    }

    private List<TraceLine> merge() {
        List<TraceLine> merged = new ArrayList<>();
        for (int trace = pick(); trace >= 0; trace = pick()) {
            TraceLine line = traces.get(trace).get(next[trace]++);
            String flow = line.flow();
            if (flow != null && line.isOf("sent")) {
                underWay.merge(flow, 1, Integer::sum);
            }
            merged.add(line);
        }
        return merged;
    }

    /** The trace whose next line is the earliest of those that need not wait; of all, if they wait for each other. */
    private int pick() {
        int picked = -1;
        boolean waits = true;
        for (int trace = 0; trace < traces.size(); trace++) {
            if (next[trace] < traces.get(trace).size()) {
                boolean alsoWaits = waits(trace);
                if (picked < 0 || (waits && !alsoWaits) || (waits == alsoWaits && time(trace) < time(picked))) {
                    picked = trace;
                    waits = alsoWaits;
                }
            }
        }
        return picked;
    }

    private long time(int trace) {
        return traces.get(trace).get(next[trace]).timeNanos();
    }

    /** Whether the next line receives what another trace has yet to send. */
    private boolean waits(int trace) {
        TraceLine line = traces.get(trace).get(next[trace]);
        String flow = line.flow();
        if (flow == null || !line.isOf("received") || underWay.containsKey(flow)) {
            return false;
        }
        for (int other = 0; other < traces.size(); other++) {
            if (other != trace && sends.get(other).contains(flow)) {
                return true;
            }
        }
        return false;
    }
}

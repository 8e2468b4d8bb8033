// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.page;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A trace as a log for ShiViz: each event with the vector clock of its device, which packets join. The regular expression of
 * the log is {@link #EXPRESSION}. Rules that devices apply are left out.
 */
public final class ShivizLog {

    /** What ShiViz is to be told of the log's format. */
    public static final String EXPRESSION = "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)";

    private final Map<String, Map<String, Integer>> clocks = new HashMap<>();
    private final Map<String, Deque<Map<String, Integer>>> underWay = new HashMap<>();
    private final Map<String, Map<String, Integer>> delivered = new HashMap<>();
    private final StringBuilder log = new StringBuilder();

    private ShivizLog() {}

    /** The log of these lines. */
    public static String of(List<TraceLine> lines) throws IOException {
        ShivizLog log = new ShivizLog();
        for (TraceLine line : lines) {
            if (line.event().get("device") != null && !line.isOf("decided")) {
                log.add(line);
            }
        }
        return log.log.toString();
    }

    private void add(TraceLine line) throws IOException {
        String host = line.device().replaceAll("\\s", "_");
        Map<String, Integer> clock = clocks.computeIfAbsent(host, name -> new TreeMap<>());
        String flow = line.flow();
        if (flow != null && line.isOf("received")) {
            sent(flow).forEach((name, time) -> clock.merge(name, time, Math::max));
        }
        clock.merge(host, 1, Integer::sum);
        if (flow != null && line.isOf("sent")) {
            underWay.computeIfAbsent(flow, way -> new ArrayDeque<>()).add(new TreeMap<>(clock));
        }
        log.append(host)
                .append(' ')
                .append(JSON.std.asString(clock))
                .append('\n')
                .append(line.describe())
                .append('\n');
    }

    /** The clock with which a packet left; a duplicate has that of the packet before it. */
    private Map<String, Integer> sent(String flow) {
        Deque<Map<String, Integer>> waiting = underWay.get(flow);
        if (waiting == null || waiting.isEmpty()) {
            return delivered.getOrDefault(flow, Map.of());
        }
        Map<String, Integer> clock = waiting.remove();
        delivered.put(flow, clock);
        return clock;
    }
}

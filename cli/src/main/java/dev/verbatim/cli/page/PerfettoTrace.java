// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.page;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A trace in Chrome's trace format, which Perfetto reads: a process for each device, a thread for each queue pair, requests as
 * asynchronous spans from post to completion, packets as short slices with arrows, and all else as instants. Rules that
 * devices apply are left out.
 */
public final class PerfettoTrace {

    private static final double NANOS_PER_MICRO = 1000;

    /** Arrows need slices to begin and end at. */
    private static final double PACKET_MICROS = 0.05;

    private final List<Map<String, Object>> events = new ArrayList<>();
    private final Map<String, Integer> processes = new LinkedHashMap<>();
    private final Map<String, Deque<Integer>> underWay = new HashMap<>();
    private final Map<String, Deque<Integer>> requests = new HashMap<>();
    private final Map<String, Integer> depths = new HashMap<>();
    private final long firstNanos;
    private int ids;

    private PerfettoTrace(long firstNanos) {
        this.firstNanos = firstNanos;
    }

    /** The JSON of these lines. */
    public static String of(List<TraceLine> lines) throws IOException {
        PerfettoTrace trace =
                new PerfettoTrace(lines.isEmpty() ? 0 : lines.get(0).timeNanos());
        for (TraceLine line : lines) {
            if (line.event().get("device") != null && !line.isOf("decided")) {
                trace.add(line);
            }
        }
        return JSON.std.asString(new TreeMap<>(Map.of("traceEvents", trace.events, "displayTimeUnit", "ns")));
    }

    private void add(TraceLine line) {
        switch (String.valueOf(line.event().get("kind"))) {
            case "posted" -> post(line);
            case "completed" -> complete(line);
            case "polled" -> poll(line);
            case "sent", "received" -> packet(line);
            default -> event(line, "i", line.describe()).put("s", "t");
        }
    }

    private void post(TraceLine line) {
        String request = String.valueOf(line.event().get("request"));
        int id = ++ids;
        boolean receive = request.startsWith("RECV");
        requests.computeIfAbsent(
                        key(line, receive, request.replaceAll(".*wr_id=(\\d+).*", "$1")), name -> new ArrayDeque<>())
                .add(id);
        span(line, "b", request, id);
        depth(line, receive, 1);
    }

    private void complete(TraceLine line) {
        boolean receive = String.valueOf(line.event().get("opcode")).startsWith("RECV");
        Deque<Integer> posted =
                requests.get(key(line, receive, String.valueOf(line.event().get("workRequestId"))));
        if (posted != null && !posted.isEmpty()) {
            span(line, "e", line.describe(), posted.remove());
            depth(line, receive, -1);
        }
        if (line.event().get("cq") != null) {
            waiting(line, depths.getOrDefault(completionQueue(line), 0) + 1);
        }
        event(line, "i", line.describe()).put("s", "t");
    }

    private void poll(TraceLine line) {
        waiting(line, line.event().get("left") instanceof Number left ? left.intValue() : 0);
        event(line, "i", line.describe()).put("s", "t");
    }

    private static String completionQueue(TraceLine line) {
        return line.device() + " cq " + line.event().get("cq");
    }

    /** So many completions wait in a completion queue. */
    private void waiting(TraceLine line, int depth) {
        depths.put(completionQueue(line), depth);
        event(line, "C", "cq " + line.event().get("cq")).put("args", Map.of("completions", depth));
    }

    private static String key(TraceLine line, boolean receive, String id) {
        return line.device() + " " + line.event().get("qp") + " " + receive + " " + id;
    }

    private void span(TraceLine line, String phase, String name, int id) {
        Map<String, Object> event = event(line, phase, name);
        event.put("cat", "request");
        event.put("id", id);
    }

    private void depth(TraceLine line, boolean receive, int change) {
        String name = "qp " + line.event().get("qp") + (receive ? " receives" : " sends");
        int depth = depths.merge(line.device() + " " + name, change, Integer::sum);
        event(line, "C", name).put("args", Map.of("posted", depth));
    }

    private void packet(TraceLine line) {
        event(line, "X", line.describe()).put("dur", PACKET_MICROS);
        String flow = String.valueOf(line.flow());
        if (line.isOf("sent")) {
            int id = ++ids;
            underWay.computeIfAbsent(flow, way -> new ArrayDeque<>()).add(id);
            arrow(line, "s", id);
            return;
        }
        Deque<Integer> waiting = underWay.get(flow);
        if (waiting != null && !waiting.isEmpty()) {
            arrow(line, "f", waiting.remove());
        }
    }

    private void arrow(TraceLine line, String phase, int id) {
        Map<String, Object> event = event(line, phase, "packet");
        event.put("cat", "packet");
        event.put("id", id);
        if (phase.equals("f")) {
            event.put("bp", "e");
        }
    }

    private Map<String, Object> event(TraceLine line, String phase, String name) {
        Integer process = processes.get(line.device());
        if (process == null) {
            process = processes.size() + 1;
            processes.put(line.device(), process);
            Map<String, Object> title = new LinkedHashMap<>();
            title.put("ph", "M");
            title.put("name", "process_name");
            title.put("pid", process);
            title.put("args", Map.of("name", line.device()));
            events.add(title);
        }
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("ph", phase);
        event.put("name", name);
        event.put("pid", process);
        event.put("tid", Objects.requireNonNullElse(line.event().get("qp"), 0));
        event.put("ts", (line.timeNanos() - firstNanos) / NANOS_PER_MICRO);
        events.add(event);
        return event;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.page;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.conformance.scenario.FileReason;
import dev.verbatim.page.RunRecorder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads traces of JSON lines, and checks that they are that. */
public final class TraceReader {

    private TraceReader() {}

    /**
     * The runs of the traces: one for each, or one for all.
     *
     * @throws BadTrace if a file cannot be read or is no trace
     */
    public static List<RunRecorder> read(List<Path> traces, boolean together) {
        List<RunRecorder> runs = new ArrayList<>();
        List<List<TraceLine>> separate = together
                ? List.of(together(traces))
                : traces.stream().map(TraceReader::lines).toList();
        for (int i = 0; i < separate.size(); i++) {
            RunRecorder run = new RunRecorder();
            run.title(together ? title(traces) : title(traces.subList(i, i + 1)));
            separate.get(i).forEach(line -> run.line(line.text()));
            runs.add(run);
        }
        return runs;
    }

    /**
     * The lines of traces that the processes of one run have written. Devices that have one name, as those of C programs have, get that of
     * their trace as well.
     *
     * @throws BadTrace if a file cannot be read or is no trace
     */
    public static List<TraceLine> together(List<Path> traces) {
        List<List<TraceLine>> read = traces.stream().map(TraceReader::lines).toList();
        Map<String, Set<Integer>> users = new HashMap<>();
        for (int i = 0; i < read.size(); i++) {
            for (TraceLine line : read.get(i)) {
                users.computeIfAbsent(line.device(), device -> new HashSet<>()).add(i);
            }
        }
        List<List<TraceLine>> named = new ArrayList<>();
        for (int i = 0; i < read.size(); i++) {
            String name = title(traces.subList(i, i + 1)).replaceFirst("\\.[^.]*$", "");
            List<TraceLine> lines = new ArrayList<>();
            for (TraceLine line : read.get(i)) {
                boolean isAlone = users.getOrDefault(line.device(), Set.of()).size() == 1;
                lines.add(isAlone ? line : line.ofDevice(line.device() + " of " + name));
            }
            named.add(lines);
        }
        return TraceMerge.of(named);
    }

    /** The names of the files. */
    public static String title(List<Path> traces) {
        return traces.stream().map(trace -> String.valueOf(trace.getFileName())).collect(Collectors.joining(", "));
    }

    /**
     * The lines of a trace, without empty ones.
     *
     * @throws BadTrace if the file cannot be read or is no trace
     */
    public static List<TraceLine> lines(Path trace) {
        List<TraceLine> lines = new ArrayList<>();
        try (BufferedReader reader = Files.newBufferedReader(trace, StandardCharsets.UTF_8)) {
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (!line.isBlank()) {
                    lines.add(new TraceLine(line, parse(trace, number, line)));
                }
            }
        } catch (IOException e) {
            throw new BadTrace("cannot read " + trace + ": " + FileReason.of(e)
                    + "; name a trace that --trace FILE.jsonl has written");
        }
        if (lines.isEmpty()) {
            throw new BadTrace(trace + " has no events; name a trace that --trace FILE.jsonl has written");
        }
        return lines;
    }

    /** Lines that were recorded in this process. */
    public static List<TraceLine> lines(List<String> recorded) {
        List<TraceLine> lines = new ArrayList<>();
        for (String line : recorded) {
            lines.add(new TraceLine(line, parse(Path.of("recorded"), lines.size() + 1, line)));
        }
        return lines;
    }

    private static Map<String, Object> parse(Path trace, int number, String line) {
        try {
            Map<String, Object> event = JSON.std.mapFrom(line);
            if (event.get("kind") instanceof String) {
                return event;
            }
        } catch (IOException e) {
            // Said below.
        }
        throw new BadTrace(trace + ":" + number
                + " is no event, which is a JSON object with a kind; write the trace with --trace FILE.jsonl");
    }
}

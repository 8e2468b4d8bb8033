// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.history;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.bench.plan.BenchFailure;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file of results: one JSON object in each line. The first says that it is such a file, and its version; then follow runs, each with
 * the machine and the results in the order in which they were measured. Later runs are added at the end.
 */
public final class HistoryFile {

    /** Of the format. A file of any other is refused. */
    public static final int VERSION = 1;

    private static final String FORMAT = "verbatim-bench";
    private static final String FORMAT_FIELD = "format";
    private static final String VERSION_FIELD = "version";
    private static final String LINE = "line";
    private static final String NANOS = "nanos";
    private static final String CPU_NANOS = "cpuNanos";
    private static final String YARDSTICKS = "yardsticks";

    private final Path path;

    private HistoryFile(Path path) {
        this.path = path;
    }

    /**
     * The file, to which results are added; it is made if there is none, and begins a run.
     *
     * @param run what is to be known of the run
     * @throws BenchFailure if there is a file that has something else, or it cannot be written
     */
    public static HistoryFile append(Path path, Map<String, Object> run) {
        HistoryFile file = new HistoryFile(path);
        try {
            if (Files.exists(path) && Files.size(path) > 0) {
                file.checkHead(file.lines());
            } else {
                Map<String, Object> head = new LinkedHashMap<>();
                head.put(FORMAT_FIELD, FORMAT);
                head.put(VERSION_FIELD, VERSION);
                file.write(head);
            }
            file.write(run);
            return file;
        } catch (IOException e) {
            throw file.unusable("be written", e);
        }
    }

    /** Adds a result. */
    public void add(Result result) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(LINE, result.line());
        json.put(NANOS, result.nanos());
        json.put(CPU_NANOS, result.cpuNanos());
        json.put(YARDSTICKS, result.yardsticks());
        try {
            write(json);
        } catch (IOException e) {
            throw unusable("be written", e);
        }
    }

    private void write(Map<String, Object> json) throws IOException {
        Files.writeString(
                path,
                JSON.std.asString(json) + "\n",
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /**
     * All results of a file by the name of their line; those of several runs are taken together.
     *
     * @throws BenchFailure if it is no such file, or one of another version, or damaged
     */
    public static Map<String, Result> read(Path path) {
        HistoryFile file = new HistoryFile(path);
        try {
            List<String> lines = file.lines();
            file.checkHead(lines);
            Map<String, Result> results = new LinkedHashMap<>();
            for (int i = 1; i < lines.size(); i++) {
                Result result = file.result(lines.get(i), i + 1);
                if (result != null) {
                    results.merge(result.line(), result, Result::and);
                }
            }
            return results;
        } catch (IOException e) {
            throw file.unusable("be read", e);
        }
    }

    private List<String> lines() throws IOException {
        try {
            return Files.readAllLines(path, StandardCharsets.UTF_8);
        } catch (MalformedInputException e) {
            throw notOurs();
        }
    }

    private void checkHead(List<String> lines) {
        Map<String, Object> head = lines.isEmpty() ? null : object(lines.get(0));
        if (head == null || !FORMAT.equals(head.get(FORMAT_FIELD))) {
            throw notOurs();
        }
        Object version = head.get(VERSION_FIELD);
        if (!Integer.valueOf(VERSION).equals(version)) {
            throw new BenchFailure(
                    path + " has version=" + version + " of the format, but this bench reads and writes version="
                            + VERSION + "; measure again into a new file with --save");
        }
    }

    private static @Nullable Map<String, Object> object(String line) {
        try {
            return JSON.std.mapFrom(line);
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** The result in a line; null if it begins a run. */
    private @Nullable Result result(String line, int number) {
        Map<String, Object> json = object(line);
        if (json != null && !json.containsKey(LINE)) {
            return null;
        }
        if (json == null
                || !(json.get(LINE) instanceof String name)
                || !(json.get(YARDSTICKS) instanceof Map<?, ?> beside)) {
            throw damaged(number);
        }
        List<Double> nanos = times(json.get(NANOS), number);
        List<Double> cpuNanos = times(json.get(CPU_NANOS), number);
        Map<String, List<Double>> yardsticks = new LinkedHashMap<>();
        for (Map.Entry<?, ?> yardstick : beside.entrySet()) {
            List<Double> rounds = times(yardstick.getValue(), number);
            if (rounds.size() != nanos.size()) {
                throw damaged(number);
            }
            yardsticks.put(String.valueOf(yardstick.getKey()), rounds);
        }
        return new Result(name, nanos, cpuNanos, yardsticks);
    }

    private List<Double> times(@Nullable Object json, int number) {
        if (!(json instanceof List<?> values)) {
            throw damaged(number);
        }
        List<Double> times = new ArrayList<>();
        for (Object value : values) {
            if (!(value instanceof Number time) || !(time.doubleValue() >= 0)) {
                throw damaged(number);
            }
            times.add(time.doubleValue());
        }
        return times;
    }

    private BenchFailure notOurs() {
        return new BenchFailure(path + " is not a file of bench --save: its first line is not {\"" + FORMAT_FIELD
                + "\":\"" + FORMAT + "\",...}; name another file");
    }

    private BenchFailure damaged(int number) {
        return new BenchFailure(path + " is damaged in line " + number + ": expected a result with " + NANOS + ", "
                + CPU_NANOS + " and " + YARDSTICKS
                + ", all with the same number of rounds; remove the line or measure again");
    }

    private BenchFailure unusable(String what, IOException e) {
        return new BenchFailure(path + " cannot " + what + ": " + e.getMessage() + "; name another file");
    }
}

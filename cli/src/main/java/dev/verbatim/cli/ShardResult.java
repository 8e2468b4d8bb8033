// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.conformance.scenario.FileReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one part of a job printed.
 *
 * @param file where it was read
 * @param job command, number of parts, version and job, which are the same for all parts of one job
 * @param lines what it found, without its first and last line
 * @param isComplete whether its last line is there: a process that was killed has none
 */
record ShardResult(Path file, Shard shard, List<Object> job, List<Map<String, Object>> lines, boolean isComplete) {

    private static final List<String> TIMES = List.of("seconds", "timeNanos");

    private static final List<String> JOB = List.of("command", "of", "version", "job");

    /**
     * All parts of a file: those of several processes may have been appended to one.
     *
     * @throws IllegalArgumentException if it has none, or another line first
     */
    static List<ShardResult> read(Path file) {
        List<ShardResult> results = new ArrayList<>();
        Map<String, Object> first = null;
        List<Map<String, Object>> lines = new ArrayList<>();
        int number = 0;
        for (String text : text(file)) {
            number++;
            Map<String, Object> line = parsed(text);
            if (line == null) {
                continue; // cut in the middle: the part is not complete
            }
            if ("shard".equals(line.get("kind"))) {
                if (first != null) {
                    results.add(result(file, first, lines));
                }
                first = line;
                lines = new ArrayList<>();
            } else if (first == null) {
                throw new IllegalArgumentException(
                        file + ":" + number + ": not what a part prints; run the parts with --shard I/N --json");
            } else {
                lines.add(line);
            }
        }
        if (first == null) {
            throw new IllegalArgumentException(file + " has no lines of a part; run the parts with --shard I/N --json");
        }
        results.add(result(file, first, lines));
        return results;
    }

    private static List<String> text(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + FileReason.of(e), e);
        }
    }

    private static @Nullable Map<String, Object> parsed(String line) {
        try {
            return line.isBlank() ? null : JSON.std.mapFrom(line);
        } catch (IOException e) {
            return null;
        }
    }

    private static ShardResult result(Path file, Map<String, Object> first, List<Map<String, Object>> lines) {
        boolean isComplete =
                !lines.isEmpty() && "result".equals(lines.get(lines.size() - 1).get("kind"));
        return new ShardResult(
                file,
                new Shard(number(file, first, "shard"), number(file, first, "of")),
                JOB.stream()
                        .map(name -> Objects.requireNonNullElse(first.get(name), ""))
                        .toList(),
                isComplete ? lines.subList(0, lines.size() - 1) : lines,
                isComplete);
    }

    private static int number(Path file, Map<String, Object> line, String name) {
        if (line.get(name) instanceof Integer number) {
            return number;
        }
        throw new IllegalArgumentException(file + ": '" + name + "' of a first line is no number");
    }

    String command() {
        return job.get(0).toString();
    }

    /** A value of what all parts have in common. */
    @Nullable
    Object ofJob(String name) {
        return job.get(JOB.size() - 1) instanceof Map<?, ?> values ? values.get(name) : null;
    }

    /** What was found, without what differs from run to run: times, and what did not end within a time. */
    List<Map<String, Object>> found() {
        List<Map<String, Object>> found = new ArrayList<>();
        for (Map<String, Object> line : lines) {
            if (!line.containsKey("stop")) {
                Map<String, Object> lasting = new LinkedHashMap<>(line);
                TIMES.forEach(lasting::remove);
                found.add(lasting);
            }
        }
        return found;
    }

    /** Those of a kind. */
    List<Map<String, Object>> lines(String kind) {
        return lines.stream().filter(line -> kind.equals(line.get("kind"))).toList();
    }
}

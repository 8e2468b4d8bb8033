// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.farm;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The file of results of one job: whole parts, as {@code merge} reads them, in the order in which they ended. */
final class ResultFile {

    private final Path path;
    private final Set<Integer> complete = new TreeSet<>();
    private @Nullable Map<String, Object> job;

    /**
     * Reads what is there of the same job: a driver that was ended may have left the last part cut.
     *
     * @throws IllegalArgumentException if the file cannot be read or written, or has something else
     */
    ResultFile(Path path) {
        this.path = path;
        try {
            if (Files.exists(path)) {
                read();
            }
            Files.write(path, new byte[0], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    path + " cannot be read and written (" + e.getClass().getSimpleName()
                            + "); name a file in a directory where you may write",
                    e);
        }
    }

    private void read() throws IOException {
        String text = Files.readString(path);
        int number = 0;
        for (String line : text.lines().toList()) {
            Map<String, Object> values = parsed(line);
            Object kind = values.get("kind");
            if ("shard".equals(kind)) {
                number = begins(values);
            } else if (number == 0 && !line.isBlank()) {
                throw new IllegalArgumentException(path + " has no results of parts; name another file");
            } else if ("result".equals(kind)) {
                complete.add(number);
            }
        }
        if (!text.isEmpty() && !text.endsWith("\n")) {
            Files.writeString(path, "\n", StandardOpenOption.APPEND);
        }
    }

    /** Which part it is; a part of another job is refused. */
    private int begins(Map<String, Object> line) {
        Map<String, Object> found = new LinkedHashMap<>(line);
        Object number = found.remove("shard");
        if (job == null) {
            job = found;
        } else if (!job.equals(found)) {
            throw new IllegalArgumentException(
                    path + " has results of another job: " + job + " and not " + found + "; name another file");
        }
        return number instanceof Integer part ? part : 0;
    }

    private static Map<String, Object> parsed(String line) {
        try {
            return line.isBlank() ? Map.of() : JSON.std.mapFrom(line);
        } catch (IOException cut) {
            return Map.of();
        }
    }

    /** The parts that need not run again. */
    Set<Integer> complete() {
        return Set.copyOf(complete);
    }

    /**
     * Adds a part in one write.
     *
     * @throws IllegalArgumentException if it is of another job than those that are there
     */
    void add(Part part) {
        begins(parsed(part.out().lines().findFirst().orElse("")));
        try {
            Files.write(path, part.out().getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    path + " cannot be written any more; its parts are not lost: make room and run it again", e);
        }
        complete.add(part.number());
    }
}

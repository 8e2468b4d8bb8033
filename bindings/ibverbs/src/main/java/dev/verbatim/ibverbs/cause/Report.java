// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import dev.verbatim.ibverbs.call.Messages;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Where failures and mistakes are told: a block each on standard error or in a file, those that are alike once; or all of them, as lines of JSON. */
final class Report {

    /** Of one kind, in the line at the end. */
    private static final int MOST_PLACES = 8;

    /** Of a program that does nothing but fail. */
    private static final int MOST_BLOCKS = 1_000, MOST_LINES = 100_000;

    /** That of this process: where the environment says, or standard error. */
    static final Report OF_PROCESS = to(Objects.requireNonNullElse(System.getenv("VERBATIM_EXPLAIN"), ""));

    /** What is told. */
    interface Entry {

        /** What those share that are told once. */
        Object likeness();

        /** One line, for those that are alike. */
        String inGeneral();

        /** Where it is, if those that are alike may be at other places; empty otherwise. */
        default String place() {
            return "";
        }

        /** A few lines for people. */
        String asText();

        /** A line of JSON. */
        String asJson();
    }

    private final boolean isJson;
    private final FileOutputStream output;
    private final Map<Object, Counted> told = new LinkedHashMap<>();
    private int lines;

    /** How often the like came. */
    private static final class Counted {

        private final String what;
        private int count;

        /** Of all but the first. */
        private final Set<String> places = new LinkedHashSet<>();

        Counted(String what) {
            this.what = what;
        }

        /** Whether it is the first. */
        boolean add(String place) {
            if (++count == 1) {
                return true;
            }
            if (!place.isEmpty() && places.size() <= MOST_PLACES) {
                places.add(place);
            }
            return false;
        }

        @Override
        public String toString() {
            String where = places.isEmpty()
                    ? " at the same lines: " + what
                    : ": " + what + ", at "
                            + places.stream().limit(MOST_PLACES).collect(Collectors.joining("; "))
                            + (places.size() > MOST_PLACES ? "; ..." : "");
            return "verbatim: " + (count - 1) + " more" + where + "\n";
        }
    }

    private Report(boolean isJson, FileOutputStream output) {
        this.isJson = isJson;
        this.output = output;
    }

    /** By the variable's value: a file, of lines of JSON if its name ends in {@code .jsonl}; anything without a slash is standard error. */
    static Report to(String wanted) {
        if (wanted.indexOf('/') >= 0) {
            Path file = Path.of(
                    wanted.replace("%p", String.valueOf(ProcessHandle.current().pid())));
            try {
                return new Report(wanted.endsWith(".jsonl"), new FileOutputStream(file.toFile()));
            } catch (IOException e) {
                Messages.say("%s cannot be written, and standard error is: %s", file, String.valueOf(e.getMessage()));
            }
        }
        return new Report(false, new FileOutputStream(FileDescriptor.err));
    }

    synchronized void tell(Entry entry) {
        if (isJson) {
            if (lines++ < MOST_LINES) {
                write(entry.asJson());
            }
        } else if (isFirst(entry) && lines++ < MOST_BLOCKS) {
            write(entry.asText());
        }
    }

    private boolean isFirst(Entry entry) {
        return told.computeIfAbsent(entry.likeness(), fresh -> new Counted(entry.inGeneral()))
                .add(entry.place());
    }

    /** Adds a line that begins with a word. */
    static void line(StringBuilder text, String word, String value) {
        text.append("    ")
                .append(word)
                .append(" ".repeat(Math.max(1, 8 - word.length())))
                .append(value)
                .append('\n');
    }

    /** The program ends: what happened again was only counted. */
    synchronized void end() {
        told.values().forEach(each -> {
            if (each.count > 1) {
                write(each.toString());
            }
        });
        told.clear();
    }

    /** What was found so often and not told. */
    synchronized void silenced(Silence silence, long count) {
        write(isJson ? silence.asJson(count) : silence.asText(count));
    }

    /** Tells something that is no failure of its own; not as JSON. */
    synchronized void say(String line) {
        if (!isJson) {
            write(line);
        }
    }

    private void write(String text) {
        try {
            output.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // Standard error is closed, or the disk is full: the program goes on.
        }
    }
}

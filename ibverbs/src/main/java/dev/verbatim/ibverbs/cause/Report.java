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
import java.util.Map;

/** Where failures are told: a block each on standard error or in a file, those that are alike once; or all of them, as lines of JSON. */
final class Report {

    /** Of a program that does nothing but fail. */
    private static final int MOST_BLOCKS = 1_000, MOST_LINES = 100_000;

    private final boolean isJson;
    private final FileOutputStream output;
    private final Map<Failure.Likeness, Integer> told = new LinkedHashMap<>();
    private int lines;

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

    synchronized void tell(Failure failure) {
        if (isJson) {
            if (lines++ < MOST_LINES) {
                write(failure.asJson());
            }
        } else if (told.merge(failure.likeness(), 1, Integer::sum) == 1 && lines++ < MOST_BLOCKS) {
            write(failure.asText());
        }
    }

    /** The program ends: what happened again was only counted. */
    synchronized void end() {
        told.forEach((likeness, count) -> {
            if (count > 1) {
                write("verbatim: " + (count - 1) + " more at the same lines: " + likeness.what() + "\n");
            }
        });
        told.clear();
    }

    private void write(String text) {
        try {
            output.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // Standard error is closed, or the disk is full: the program goes on.
        }
    }
}

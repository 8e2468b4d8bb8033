// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/** Keeps the last lines of what is written to it, and counts those before. */
final class LastLines extends OutputStream {

    private final int most;
    private final ArrayDeque<String> lines = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long forgotten;

    LastLines(int most) {
        this.most = most;
    }

    @Override
    public synchronized void write(int octet) {
        if (octet != '\n') {
            line.write(octet);
            return;
        }
        if (lines.size() == most) {
            lines.removeFirst();
            forgotten++;
        }
        lines.addLast(line.toString(StandardCharsets.UTF_8).stripTrailing());
        line.reset();
    }

    /** Writes all of them. */
    synchronized void writeBytes(byte... bytes) {
        for (byte octet : bytes) {
            write(octet);
        }
    }

    @Override
    public synchronized String toString() {
        return (forgotten == 0 ? "" : "(" + forgotten + " lines before)\n") + String.join("\n", lines);
    }
}

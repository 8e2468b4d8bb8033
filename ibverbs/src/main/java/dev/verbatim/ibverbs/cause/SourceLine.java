// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A place of a program.
 *
 * @param binary file name of the program or library
 * @param offset of the call in it, as its debugger has it
 * @param function null if the binary has no symbol for it
 * @param file of the source; null if the binary has no debug information for it
 * @param line in the file; 0 if it is not known
 */
record SourceLine(
        String binary,
        long offset,
        @Nullable String function,
        @Nullable String file,
        int line) {

    /** A line, and those of two calls of its function, are enough to tell one place of a program from another. */
    private static final int MOST_LINES = 3;

    /** Where the headers' inline functions are, which are the program's calls of the library. */
    private static final String VERBS_HEADERS = "/infiniband/", CM_HEADERS = "/rdma/";

    /**
     * The innermost frame that is the program's own, and not an inline function of the headers; and behind it, if its function is inlined, the
     * functions that it is inlined in.
     */
    static List<SourceLine> of(long[] frames) {
        SourceLine innermost = null;
        for (long frame : frames) {
            List<SourceLine> lines = Binaries.linesOf(frame);
            for (int i = 0; i < lines.size(); i++) {
                SourceLine each = lines.get(i);
                if (!each.isOfHeaders()) {
                    return each.file != null || innermost == null
                            ? lines.subList(i, Math.min(lines.size(), i + MOST_LINES))
                            : List.of(innermost);
                }
                innermost = innermost == null ? each : innermost;
            }
        }
        return List.of(
                innermost == null ? new SourceLine("?", frames.length == 0 ? 0 : frames[0], null, null, 0) : innermost);
    }

    /** By the function, too: without optimization addr2line of binutils 2.40 names the program's own file, with the header's line. */
    private boolean isOfHeaders() {
        if (function != null && function.matches("_*(ibv|rdma)_\\w+") && file != null) {
            return true;
        }
        return file != null && file.endsWith(".h") && (file.contains(VERBS_HEADERS) || file.contains(CM_HEADERS));
    }

    /** {@code BINARY+0xOFFSET}. */
    String address() {
        return String.format(Locale.ROOT, "%s+0x%x", binary, offset);
    }

    /** The file as seen from the working directory. */
    @Nullable
    String shortFile() {
        String name = file;
        if (name == null) {
            return null;
        }
        Path here = Path.of("").toAbsolutePath();
        Path path = Path.of(name).normalize();
        return path.startsWith(here) ? here.relativize(path).toString() : path.toString();
    }

    /** {@code FILE:LINE (FUNCTION)}, or the address where the line is not known. */
    @Override
    public String toString() {
        String place = file == null ? address() : shortFile() + ":" + line;
        return function == null ? place : place + " (" + function + ")";
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
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

    /** Functions of the headers of libibverbs and librdmacm, which are the program's calls of the library. */
    private static final Pattern VERBS = Pattern.compile("_*(ibv|rdma)_\\w+(\\(.*\\))?");

    private static final Pattern HEADERS_OF_VERBS = Pattern.compile(".*/(infiniband|rdma)/[^/]*\\.h");

    /** Where headers and sources of compilers and their libraries are: of C and C++, and of Rust wherever it was built. */
    private static final Pattern STANDARD_FILES = Pattern.compile(
            "(/usr/include/|/usr/lib/|/rustc/|/build/(glibc|gcc)-|/usr/src/debug/(glibc|gcc)).*|.*/(include/c\\+\\+|rustlib/src)/.*");

    private static final Pattern STANDARD_BINARIES = Pattern.compile(
            "(ld-linux|lib(c|m|dl|rt|pthread|stdc\\+\\+|c\\+\\+|c\\+\\+abi|gcc_s|[a-z]+san|verbatim))[-.].*|libstd-[0-9a-f]+\\.so");

    private static final Pattern STANDARD_FUNCTIONS = Pattern.compile(
            "(void |bool )?(std|__gnu_cxx|core|alloc)::.*|<(std|core|alloc)::.*|operator (new|delete).*");

    /**
     * The innermost frame that is the program's own, and not an inline function of the headers, or of the standard libraries of its
     * language; and behind it, if its function is inlined, the functions that it is inlined in.
     */
    static List<SourceLine> of(long[] frames) {
        SourceLine innermost = null;
        for (long frame : frames) {
            List<SourceLine> lines = Binaries.linesOf(frame);
            for (int i = 0; i < lines.size(); i++) {
                SourceLine each = lines.get(i);
                if (!each.isOfVerbs() && !each.isStandard()) {
                    return each.file != null || innermost == null || !innermost.isOfVerbs()
                            ? lines.stream()
                                    .skip(i)
                                    .filter(line -> !line.isStandard())
                                    .limit(MOST_LINES)
                                    .toList()
                            : List.of(innermost);
                }
                innermost = innermost == null ? each : innermost;
            }
        }
        return List.of(
                innermost == null ? new SourceLine("?", frames.length == 0 ? 0 : frames[0], null, null, 0) : innermost);
    }

    /** By the function, too: without optimization addr2line of binutils 2.40 names the program's own file, with the header's line. */
    private boolean isOfVerbs() {
        return file != null
                && ((function != null && VERBS.matcher(function).matches())
                        || HEADERS_OF_VERBS.matcher(file).matches());
    }

    /** By the function, too, of which the same is true. */
    private boolean isStandard() {
        return STANDARD_BINARIES.matcher(binary).matches()
                || (file != null && STANDARD_FILES.matcher(file).matches())
                || (function != null && STANDARD_FUNCTIONS.matcher(function).matches());
    }

    /** The same line of another file. */
    SourceLine in(@Nullable String other) {
        return new SourceLine(binary, offset, function, other, line);
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

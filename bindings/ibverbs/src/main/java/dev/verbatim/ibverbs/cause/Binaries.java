// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Library;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The program and its libraries: what their symbols and debug information say of an address, by addr2line of binutils or elfutils. */
final class Binaries {

    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final int MOST_OUTPUT_BYTES = 1 << 16;

    /** As both tools have it: {@code FUNCTION at FILE:LINE}, and a line for each function that it is inlined in. */
    private static final Pattern PLACE = Pattern.compile(
            "^(?: \\(inlined by\\) )?(.*) at (.*?):(\\d+|\\?)(?::\\d+)?(?: \\(discriminator \\d+\\))?$");

    /** What was found out, by return address. */
    private static final Map<Long, List<SourceLine>> KNOWN = new ConcurrentHashMap<>();

    private Binaries() {}

    /**
     * The places that a return address stands for, innermost first: several where functions are inlined.
     *
     * @param returnAddress in the process
     */
    static List<SourceLine> linesOf(long returnAddress) {
        return KNOWN.computeIfAbsent(returnAddress, Binaries::find);
    }

    private static List<SourceLine> find(long returnAddress) {
        long call = returnAddress - 1;
        Native.Loaded loaded = Native.loadedAt(call);
        if (loaded == null) {
            return List.of(new SourceLine("?", call, null, null, 0));
        }
        long offset = call - loaded.base();
        Path file = loaded.file().isEmpty() ? Path.of("/proc/self/exe") : Path.of(loaded.file());
        try {
            file = file.toRealPath();
        } catch (IOException e) {
            return List.of(new SourceLine(file.toString(), offset, null, null, 0)); // it was deleted
        }
        String binary = String.valueOf(file.getFileName());
        String function = SymbolTable.functionAt(file, offset);
        List<SourceLine> lines = ask(file, binary, offset, function);
        return lines.isEmpty() ? List.of(new SourceLine(binary, offset, function, null, 0)) : lines;
    }

    /** As addr2line says; without it, or where the files of its lines are others, as eu-addr2line does. */
    private static List<SourceLine> ask(Path file, String binary, long offset, @Nullable String symbol) {
        List<SourceLine> lines = askBy("addr2line", file, binary, offset, symbol);
        List<SourceLine> others = askBy("eu-addr2line", file, binary, offset, symbol);
        return lines.isEmpty() ? others : withFilesOf(others, lines);
    }

    /**
     * Lines with the files of others, if these are otherwise the same: addr2line of binutils 2.40 names the program's own file for
     * functions of its headers where each function has a section of its own, as those of C++ may have. That of elfutils does not, but
     * leaves functions out that are inlined, and files that Clang has compiled.
     */
    static List<SourceLine> withFilesOf(List<SourceLine> others, List<SourceLine> lines) {
        List<SourceLine> mended = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            SourceLine line = lines.get(i);
            SourceLine other = others.size() == lines.size() ? others.get(i) : line;
            mended.add(other.line() == line.line() && other.file() != null ? line.in(other.file()) : line);
        }
        return mended;
    }

    private static List<SourceLine> askBy(String name, Path file, String binary, long offset, @Nullable String symbol) {
        Path tool = toolOf(name);
        if (tool == null) {
            return List.of();
        }
        String output = Library.run(
                List.of(
                        tool.toString(),
                        "-C",
                        "-f",
                        "-i",
                        "--pretty-print",
                        "-e",
                        file.toString(),
                        "0x" + Long.toHexString(offset)),
                MOST_OUTPUT_BYTES);
        return parse(output, binary, offset, symbol);
    }

    private static @Nullable Path toolOf(String name) {
        String path = System.getenv("PATH");
        for (String directory : (path == null || path.isEmpty() ? USUAL_PATH : path).split(":", -1)) {
            Path file = Path.of(directory, name);
            if (file.isAbsolute() && Files.isExecutable(file)) {
                return file;
            }
        }
        return null;
    }

    /**
     * What a tool wrote of one address. Without debug information it takes the nearest symbol for the function, however far that is.
     *
     * @param symbol of the function that has the address; null if none has
     */
    static List<SourceLine> parse(String output, String binary, long offset, @Nullable String symbol) {
        List<SourceLine> lines = new ArrayList<>();
        for (String text : output.lines().toList()) {
            Matcher matcher = PLACE.matcher(text);
            if (matcher.matches()) {
                boolean isKnown =
                        !matcher.group(2).startsWith("??") && !matcher.group(3).equals("?");
                boolean isNamed = !matcher.group(1).equals("??") && (isKnown || symbol != null);
                String function = isNamed ? matcher.group(1) : symbol;
                lines.add(new SourceLine(
                        binary,
                        offset,
                        function,
                        isKnown ? matcher.group(2) : null,
                        isKnown ? Integer.parseInt(matcher.group(3)) : 0));
            }
        }
        return lines;
    }
}

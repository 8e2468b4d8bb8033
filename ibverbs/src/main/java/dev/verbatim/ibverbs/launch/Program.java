// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A program that is to run on the library: found on the PATH, and refused beforehand if the library would not reach it. */
record Program(Path file) {

    /** S_ISUID and S_ISGID. */
    private static final int SET_IDS = 06000;

    private static final int MOST_INTERPRETERS = 4, MOST_FIRST_LINE = 256;

    /** A reason why a program does not run on the library, with what helps. */
    static final class Unreachable extends Exception {

        private static final long serialVersionUID = 1L;

        Unreachable(String reason) {
            super(reason, null, false, false);
        }
    }

    /** Finds a program by its name or path. */
    static Program find(String name, Map<String, String> environment) throws Unreachable {
        if (name.indexOf('/') >= 0) {
            return new Program(executable(Path.of(name), name));
        }
        for (String directory : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path candidate = Path.of(directory.isEmpty() ? "." : directory, name);
            if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return new Program(candidate);
            }
        }
        throw new Unreachable(name + " is not on the PATH: install it, or give its path");
    }

    private static Path executable(Path file, String name) throws Unreachable {
        if (!Files.isRegularFile(file)) {
            throw new Unreachable(name + " is no file");
        }
        if (!Files.isExecutable(file)) {
            throw new Unreachable(name + " is not executable: chmod +x, or run its interpreter");
        }
        return file;
    }

    /**
     * Refuses a program that the library would not reach. A script stands for its interpreter.
     *
     * @param machine of this library, as {@link ElfFile#X86_64}
     */
    void requireReachable(int machine) throws Unreachable, IOException {
        Path at = file;
        for (int i = 0; i < MOST_INTERPRETERS; i++) {
            String interpreter = interpreterOf(at);
            if (interpreter == null) {
                require(at, machine);
                return;
            }
            at = executable(Path.of(interpreter), interpreter);
        }
    }

    private static void require(Path at, int machine) throws Unreachable, IOException {
        ElfFile elf = ElfFile.read(at);
        if (elf == null) {
            throw new Unreachable(at + " is no program of 64-bit Linux");
        }
        if (elf.machine() != machine) {
            throw new Unreachable(at + " is for another architecture (ELF machine " + elf.machine()
                    + "), this library for " + machine + ": build it for this machine");
        }
        String interpreter = elf.interpreter();
        if (interpreter == null) {
            throw new Unreachable(
                    at + " is linked statically, and so has a libibverbs of its own: link it dynamically");
        }
        if (interpreter.contains("musl")) {
            throw new Unreachable(
                    at + " is loaded by musl (" + interpreter + "); the library is for glibc: build it with glibc");
        }
        if (isPrivileged(at)) {
            throw new Unreachable(
                    at + " is setuid or setgid, for which the loader ignores LD_LIBRARY_PATH: run a copy that is not");
        }
        requireNoRpath(at, elf.rpath());
    }

    private static boolean isPrivileged(Path at) throws IOException {
        return ((int) Files.getAttribute(at, "unix:mode") & SET_IDS) != 0;
    }

    private static void requireNoRpath(Path at, @Nullable String rpath) throws Unreachable {
        if (rpath == null) {
            return;
        }
        Path parent = at.toAbsolutePath().getParent();
        for (String directory : rpath.split(":", -1)) {
            String expanded =
                    directory.replace("$ORIGIN", String.valueOf(parent)).replace("${ORIGIN}", String.valueOf(parent));
            for (String library : List.of("libibverbs.so.1", "librdmacm.so.1")) {
                if (!expanded.isEmpty() && Files.exists(Path.of(expanded, library))) {
                    throw new Unreachable(
                            at + " has a DT_RPATH with a " + library + " of its own (" + expanded
                                    + "), which comes before LD_LIBRARY_PATH: remove it with 'chrpath -d' or 'patchelf --remove-rpath'");
                }
            }
        }
    }

    /** The interpreter that the first line of a script names; null if the file is no script. */
    private static @Nullable String interpreterOf(Path at) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(at, StandardCharsets.ISO_8859_1)) {
            char[] first = new char[MOST_FIRST_LINE];
            int length = reader.read(first);
            if (length < 3 || first[0] != '#' || first[1] != '!') {
                return null;
            }
            String line = new String(first, 2, length - 2)
                    .lines()
                    .findFirst()
                    .orElse("")
                    .strip();
            String[] words = line.split("\\s+", -1);
            boolean byEnv = words[0].endsWith("/env") && words.length > 1;
            return byEnv ? onPath(words[1]) : words[0];
        }
    }

    private static String onPath(String name) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            if (Files.isExecutable(Path.of(directory, name))) {
                return directory + "/" + name;
            }
        }
        return name;
    }
}

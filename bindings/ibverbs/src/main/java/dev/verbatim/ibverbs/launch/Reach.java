// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether the dynamic linker will give a program the library that LD_LIBRARY_PATH has in front. */
final class Reach {

    private static final List<String> OURS = List.of("libibverbs.so.1", "librdmacm.so.1");
    private static final int SET_USER = 04000, SET_GROUP = 02000, GROUP_EXECUTES = 010;
    private static final int MOST_LIBRARIES = 64;

    private final Privileges privileges;
    private final int machine;

    /** Who runs programs, and what the system says of files besides their content. */
    interface Privileges {

        /** The user that programs run as. */
        int user();

        /** The group. */
        int group();

        /** Whether a file has capabilities (capabilities(7)). */
        boolean hasCapabilities(Path file);
    }

    Reach(Privileges privileges, int machine) {
        this.privileges = privileges;
        this.machine = machine;
    }

    /** {@code e_machine} of this JVM, whose library is of its architecture. */
    static int machineOfHost() {
        return System.getProperty("os.arch").equals("aarch64") ? ElfFile.AARCH64 : ElfFile.X86_64;
    }

    /**
     * Checks a program.
     *
     * @throws Unreachable if it is not reached
     */
    void require(Path binary) {
        ElfFile elf = read(binary);
        if (elf.machine() != machine) {
            throw new Unreachable(binary + " is for another architecture (e_machine=" + elf.machine()
                    + ", this Java's is " + machine + "); use a program and a JDK for the same");
        }
        String interpreter = elf.interpreter();
        if (interpreter == null) {
            throw new Unreachable(binary + " is statically linked, so no other libibverbs can be put in front; link it"
                    + " dynamically (without -static)");
        }
        if (interpreter.contains("ld-musl")) {
            throw new Unreachable(binary + " is for musl (" + interpreter
                    + "), and the library is for glibc; use a program" + " built on a system with glibc");
        }
        requireOrdinary(binary);
        requireOwnSearch(binary, elf);
    }

    private ElfFile read(Path binary) {
        try {
            return ElfFile.read(binary);
        } catch (BadElf e) {
            throw new Unreachable(binary + " is no program that can be run: " + e.getMessage()
                    + "; build it for a Linux of" + " 64 bits");
        } catch (IOException e) {
            throw new Unreachable(
                    binary + " cannot be read, so it cannot be checked; let its user read it, or copy it");
        }
    }

    /** For programs that run with more rights than who starts them, the dynamic linker ignores LD_LIBRARY_PATH. */
    private void requireOrdinary(Path binary) {
        String gained = null;
        try {
            int mode = (int) Files.getAttribute(binary, "unix:mode");
            if ((mode & SET_USER) != 0 && (int) Files.getAttribute(binary, "unix:uid") != privileges.user()) {
                gained = "is setuid";
            } else if ((mode & SET_GROUP) != 0
                    && (mode & GROUP_EXECUTES) != 0
                    && (int) Files.getAttribute(binary, "unix:gid") != privileges.group()) {
                gained = "is setgid";
            } else if (privileges.user() != 0 && privileges.hasCapabilities(binary)) {
                gained = "has file capabilities";
            }
        } catch (IOException e) {
            return; // what cannot be asked does not keep it from running
        }
        if (gained != null) {
            throw new Unreachable(binary + " " + gained
                    + ", and the system ignores LD_LIBRARY_PATH for such programs; run a" + " copy of it, made by cp");
        }
    }

    /** DT_RPATH comes before LD_LIBRARY_PATH, and is for the libraries of a program too; DT_RUNPATH comes after it. */
    private void requireOwnSearch(Path binary, ElfFile program) {
        Deque<Path> files = new ArrayDeque<>(List.of(binary));
        Set<Path> seen = new HashSet<>(files);
        List<Path> programs = program.runpath() == null ? directories(binary, program.rpath()) : List.of();
        while (!files.isEmpty() && seen.size() < MOST_LIBRARIES) {
            Path file = files.remove();
            ElfFile elf;
            try {
                elf = ElfFile.read(file);
            } catch (BadElf | IOException e) {
                continue; // the dynamic linker will say so
            }
            List<Path> before = new ArrayList<>();
            if (elf.runpath() == null) {
                before.addAll(directories(file, elf.rpath()));
                before.addAll(programs);
            }
            for (Path directory : before) {
                requireNone(binary, file, directory);
            }
            before.addAll(directories(file, elf.runpath()));
            for (String name : elf.needed()) {
                before.stream()
                        .map(directory -> directory.resolve(name))
                        .filter(Files::isRegularFile)
                        .findFirst()
                        .filter(seen::add)
                        .ifPresent(files::add);
            }
        }
    }

    private static void requireNone(Path binary, Path file, Path directory) {
        for (String name : OURS) {
            if (Files.exists(directory.resolve(name))) {
                throw new Unreachable(file + " has DT_RPATH, which leads to " + directory.resolve(name)
                        + (file.equals(binary) ? "" : " for " + binary)
                        + " before LD_LIBRARY_PATH; use 'patchelf --set-rpath' on a copy, which makes it DT_RUNPATH, or"
                        + " link with -Wl,--enable-new-dtags");
            }
        }
    }

    private static List<Path> directories(Path file, @Nullable String path) {
        List<Path> directories = new ArrayList<>();
        if (path != null) {
            Path real = file.toAbsolutePath();
            try {
                real = file.toRealPath();
            } catch (IOException e) {
                // as it was named
            }
            String origin = String.valueOf(real.getParent());
            for (String directory : path.split(":", -1)) {
                if (!directory.isEmpty() && directory.indexOf('\0') < 0) {
                    directories.add(
                            Path.of(directory.replace("${ORIGIN}", origin).replace("$ORIGIN", origin)));
                }
            }
        }
        return directories;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** This process, which becomes another program and then leaves nothing of the JVM to it. */
final class Self implements Reach.Privileges {

    private static final Path PROC = Path.of("/proc/self");
    private static final int SIG_SETMASK = 2, SIGNAL_SET_BYTES = 128;
    private static final int F_SETFD = 2, FD_CLOEXEC = 1;
    private static final int FIRST_INHERITED = 3;
    private static final int EACCES = 13, E2BIG = 7;

    /** Number of a descriptor of the program's working directory, where this process could not start in that. */
    private static final String DIRECTORY = "verbatim.directory";

    private static final Linker LINKER = Linker.nativeLinker();

    private static MethodHandle find(String name, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), type, options);
    }

    /** The words of the command line of this process, byte by byte. */
    static List<byte[]> words() throws IOException {
        return split(Files.readAllBytes(PROC.resolve("cmdline")));
    }

    /** The variables of this process, NAME=VALUE, byte by byte. */
    static List<byte[]> variables() throws IOException {
        return split(Files.readAllBytes(PROC.resolve("environ")));
    }

    static List<byte[]> split(byte[] zeroTerminated) {
        List<byte[]> parts = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < zeroTerminated.length; i++) {
            if (zeroTerminated[i] == 0) {
                parts.add(Arrays.copyOfRange(zeroTerminated, from, i));
                from = i + 1;
            }
        }
        return parts;
    }

    /** Variables with others in the place of those of the same name. */
    static List<byte[]> merge(List<byte[]> variables, Map<String, String> others) {
        List<byte[]> merged = new ArrayList<>();
        for (byte[] variable : variables) {
            String text = new String(variable, StandardCharsets.ISO_8859_1);
            int equals = text.indexOf('=');
            if (equals < 0 || !others.containsKey(text.substring(0, equals))) {
                merged.add(variable);
            }
        }
        others.forEach((name, value) -> merged.add((name + "=" + value).getBytes(StandardCharsets.UTF_8)));
        return merged;
    }

    @Override
    public int user() {
        return attribute("unix:uid");
    }

    @Override
    public int group() {
        return attribute("unix:gid");
    }

    private static int attribute(String name) {
        try {
            return (int) Files.getAttribute(PROC, name);
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public boolean hasCapabilities(Path file) {
        MethodHandle getxattr =
                find("getxattr", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
        try (Arena arena = Arena.ofConfined()) {
            return (long) getxattr.invokeExact(
                            arena.allocateFrom(file.toString()),
                            arena.allocateFrom("security.capability"),
                            MemorySegment.NULL,
                            0L)
                    > 0;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Replaces this process. Standard streams, the process number and the parent stay as they are.
     *
     * @param own files and directories of which the JVM may have files open, which are closed
     * @throws Unreachable if the system refuses
     */
    static void become(Path file, List<byte[]> words, List<byte[]> variables, List<Path> own) {
        int error;
        try (Arena arena = Arena.ofConfined()) {
            closeFiles(own);
            restoreSignals(arena);
            goBack();
            MemoryLayout captured = Linker.Option.captureStateLayout();
            MethodHandle execve = find(
                    "execve",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS),
                    Linker.Option.captureCallState("errno"));
            MemorySegment state = arena.allocate(captured);
            int unused = (int) execve.invokeExact(
                    state, arena.allocateFrom(file.toString()), strings(arena, words), strings(arena, variables));
            error = state.get(JAVA_INT, captured.byteOffset(MemoryLayout.PathElement.groupElement("errno")));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        throw new Unreachable(
                switch (error) {
                    case E2BIG -> "the arguments and the environment are too long for a program (E2BIG); shorten them";
                    case EACCES ->
                        file + " may not be executed (EACCES); look at its mode, and whether its file system is"
                                + " mounted with noexec";
                    default -> file + " could not be executed: errno=" + error + "; see execve(2)";
                });
    }

    private static MemorySegment strings(Arena arena, List<byte[]> texts) {
        MemorySegment array = arena.allocate(ADDRESS, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            byte[] text = texts.get(i);
            MemorySegment string = arena.allocate(text.length + 1L);
            MemorySegment.copy(text, 0, string, JAVA_BYTE, 0, text.length);
            array.setAtIndex(ADDRESS, i, string);
        }
        return array;
    }

    private static void goBack() throws Throwable {
        Integer directory = Integer.getInteger(DIRECTORY);
        if (directory != null) {
            MethodHandle fchdir = find("fchdir", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
            int unused = (int) fchdir.invokeExact((int) directory)
                    | (int) fcntl().invokeExact((int) directory, F_SETFD, FD_CLOEXEC);
        }
    }

    private static MethodHandle fcntl() {
        return find(
                "fcntl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                Linker.Option.firstVariadicArg(2));
    }

    /** Those that the JVM did not mark as its own. What this process was given stays open. */
    private static void closeFiles(List<Path> own) throws Throwable {
        MethodHandle fcntl = fcntl();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(PROC.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                int number = Integer.parseInt(descriptor.getFileName().toString());
                if (number >= FIRST_INHERITED && isBelow(descriptor, own)) {
                    int unused = (int) fcntl.invokeExact(number, F_SETFD, FD_CLOEXEC);
                }
            }
        }
    }

    private static boolean isBelow(Path descriptor, List<Path> directories) {
        try {
            Path file = Files.readSymbolicLink(descriptor);
            return directories.stream().anyMatch(file::startsWith);
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    /** A JVM blocks signals in its threads. Its first thread, in which no Java runs, blocks what the process was given to block. */
    private static void restoreSignals(Arena arena) throws Throwable {
        long blocked = 0;
        String first = "task/" + ProcessHandle.current().pid() + "/status";
        for (String line : Files.readAllLines(PROC.resolve(first), StandardCharsets.ISO_8859_1)) {
            if (line.startsWith("SigBlk:")) {
                blocked = Long.parseUnsignedLong(
                        line.substring("SigBlk:".length()).strip(), 16);
            }
        }
        MemorySegment set = arena.allocate(SIGNAL_SET_BYTES, Long.BYTES);
        set.set(JAVA_LONG, 0, blocked);
        MethodHandle sigmask = find("pthread_sigmask", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        int unused = (int) sigmask.invokeExact(SIG_SETMASK, set, MemorySegment.NULL);
    }
}

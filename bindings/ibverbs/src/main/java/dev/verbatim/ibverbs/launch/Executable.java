// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A program as the system starts it.
 *
 * @param file what is given to execve(2)
 * @param binary the ELF file that runs then: the same, or the interpreter of a script
 */
record Executable(Path file, Path binary) {

    /** As in Linux, an interpreter may be a script, but not for ever. */
    private static final int MOST_SCRIPTS = 5;

    private static final int MOST_HEAD_BYTES = 256;

    /**
     * Finds a program, in the directories of {@code path} if its name has no slash, and the interpreter if it is a script.
     *
     * @throws Unreachable if there is none, or it is neither a script nor an ELF file
     */
    static Executable find(String name, @Nullable String path) {
        Path file = locate(name, path);
        Path binary = file;
        for (int scripts = 0; scripts < MOST_SCRIPTS; scripts++) {
            byte[] head = head(binary);
            if (ElfFile.isElf(head)) {
                return new Executable(file, binary);
            }
            String interpreter = interpreter(head);
            if (interpreter == null) {
                throw new Unreachable(
                        binary + " is neither an ELF program nor a script that begins with #!; run it by its"
                                + " interpreter, as in 'exec -- sh " + binary + "'");
            }
            binary = locate(interpreter, path);
        }
        throw new Unreachable(file + " is a script whose interpreter is a script, more than " + MOST_SCRIPTS
                + " times; run it by its interpreter");
    }

    /** Whether it is linked with a library by which programs ask the kernel for adapters, as the command rdma is. */
    boolean speaksNetlink() throws IOException {
        try {
            return ElfFile.read(binary).needed().stream().anyMatch(name -> name.matches("lib(mnl|nl-3)\\.so.*"));
        } catch (BadElf e) {
            return false;
        }
    }

    private static Path locate(String name, @Nullable String path) {
        if (name.indexOf('/') >= 0) {
            Path file = Path.of(name);
            require(file);
            return file;
        }
        Path refused = null;
        for (String directory : (path == null ? "/usr/local/bin:/bin:/usr/bin" : path).split(":", -1)) {
            Path file = Path.of(directory.isEmpty() ? "." : directory).resolve(name);
            if (Files.isRegularFile(file)) {
                if (Files.isExecutable(file)) {
                    return file;
                }
                refused = refused == null ? file : refused;
            }
        }
        if (refused != null) {
            require(refused);
        }
        throw new Unreachable(name + " is in no directory of PATH; install it, or give its path");
    }

    private static void require(Path file) {
        if (!Files.exists(file)) {
            throw new Unreachable(file + " does not exist; give the path of a program");
        }
        if (!Files.isRegularFile(file)) {
            throw new Unreachable(file + " is no file; give the path of a program");
        }
        if (!Files.isExecutable(file)) {
            throw new Unreachable(file + " is not executable; use chmod +x, or run it by its interpreter");
        }
    }

    private static byte[] head(Path file) {
        try (InputStream stream = Files.newInputStream(file)) {
            return stream.readNBytes(MOST_HEAD_BYTES);
        } catch (IOException e) {
            throw new Unreachable(file + " cannot be read, so it cannot be checked; let its user read it, or copy it");
        }
    }

    /** The program of a line {@code #! PROGRAM} or {@code #! /usr/bin/env PROGRAM}; null if the file begins with something else. */
    private static @Nullable String interpreter(byte[] head) {
        String text = new String(head, StandardCharsets.ISO_8859_1);
        if (!text.startsWith("#!")) {
            return null;
        }
        String[] words =
                text.substring(2).lines().findFirst().orElse("").strip().split("[ \t]+", -1);
        if (words[0].isEmpty()) {
            return null;
        }
        if (words.length > 1 && Path.of(words[0]).endsWith("env")) {
            for (int i = 1; i < words.length; i++) {
                if (!words[i].startsWith("-") && words[i].indexOf('=') < 0) {
                    return words[i];
                }
            }
        }
        return words[0];
    }
}

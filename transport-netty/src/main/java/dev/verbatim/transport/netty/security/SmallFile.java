// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.security;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file that is read whole, since it cannot be long. */
public final class SmallFile {

    private SmallFile() {}

    /**
     * Reads it.
     *
     * @param what it should hold, for an error
     * @throws VerbsException ENOENT, EACCES or EIO if that fails, EINVAL if it is longer than {@code mostBytes}
     */
    public static byte[] read(Path file, int mostBytes, String what) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(mostBytes + 1);
        } catch (NoSuchFileException e) {
            throw VerbsException.of(
                    Errno.ENOENT, Rule.N_05, "%s does not exist; name a file that holds %s", file, what);
        } catch (AccessDeniedException e) {
            throw VerbsException.of(
                    Errno.EACCES,
                    Rule.N_05,
                    "%s may not be read; let its owner run this, or give the right to read",
                    file);
        } catch (IOException e) {
            throw VerbsException.of(
                    Errno.EIO,
                    Rule.N_05,
                    "reading %s failed: %s; name a file that holds %s",
                    file,
                    String.valueOf(e.getMessage()),
                    what);
        }
        if (bytes.length > mostBytes) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_05,
                    "%s has more than %d bytes; name a file that holds %s",
                    file,
                    mostBytes,
                    what);
        }
        return bytes;
    }
}

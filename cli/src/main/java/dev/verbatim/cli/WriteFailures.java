// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.conformance.scenario.FileReason;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file that is written as far as possible. The first failure is kept for {@link #check}, and what follows is dropped: a tap to
 * which it were thrown would log a line of its own, and a disk that has room again would get a file with a gap.
 */
final class WriteFailures extends FilterOutputStream {

    private final Path file;
    private volatile @Nullable IOException first;

    private WriteFailures(Path file, OutputStream stream) {
        super(stream);
        this.file = file;
    }

    /** Standard output of this process. */
    static WriteFailures ofStandardOutput() {
        return new WriteFailures(Path.of("standard output"), new FileOutputStream(FileDescriptor.out));
    }

    /** Whether what failed is that the reader of a pipe has closed it, as {@code head} does when it wants no more. */
    boolean isPipeClosed() {
        IOException failure = first;
        return failure != null && "Broken pipe".equals(failure.getMessage());
    }

    /**
     * Creates a file, or empties it.
     *
     * @throws CommandFailure if that is impossible
     */
    static WriteFailures create(Path file) {
        try {
            return new WriteFailures(file, Files.newOutputStream(file));
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    /** The sentence for a file that cannot be written: its place is wrong, or the write failed, as it does on a full disk. */
    static CommandFailure cannotWrite(Path file, IOException failure) {
        return new CommandFailure(
                failure instanceof FileSystemException
                        ? "cannot write to " + file + ": " + FileReason.of(failure)
                                + "; specify a file in an existing, writable directory"
                        : "cannot write all of " + file + ": " + failure.getMessage()
                                + "; what is in it is incomplete: make room, or specify another file");
    }

    /**
     * Fails if a write did.
     *
     * @throws CommandFailure with the reason of the first failure
     */
    void check() {
        IOException failure = first;
        if (failure != null) {
            throw cannotWrite(file, failure);
        }
    }

    @Override
    public void write(int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        if (first == null) {
            attempt(() -> out.write(bytes, offset, length));
        }
    }

    @Override
    public void flush() {
        if (first == null) {
            attempt(out::flush);
        }
    }

    @Override
    public void close() {
        attempt(out::close);
    }

    private void attempt(Attempt attempt) {
        try {
            attempt.run();
        } catch (IOException e) {
            if (first == null) {
                first = e;
            }
        }
    }

    private interface Attempt {
        void run() throws IOException;
    }
}

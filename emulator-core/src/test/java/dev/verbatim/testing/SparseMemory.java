// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemorySource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/** Memory of any size that costs only what is touched of it: a sparse file, mapped where it is asked for. */
public final class SparseMemory implements MemorySource, AutoCloseable {

    /** Address of the first byte of such memory in tests: that of nothing that is assigned. */
    public static final long ADDRESS = 0x1234_5678_9000L;

    private final Path path;
    private final FileChannel file;
    private final Map<Long, MappedByteBuffer> maps = new HashMap<>();

    /** How the next accesses are answered. */
    public boolean usable = true;

    /** Whether a touch of bytes that were not touched before is a fault, as the virtual machine reports it. */
    public boolean faulty;

    /** The last that was asked for, such as {@code read 8 at 4096}; empty if nothing. */
    public String asked = "";

    public SparseMemory(Path directory) {
        try {
            path = Files.createTempFile(directory, "sparse", "");
            file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.SPARSE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** So many bytes of it at {@link #ADDRESS}. */
    public Memory memory(long sizeBytes) {
        return Memory.at(ADDRESS, sizeBytes, this);
    }

    @Override
    public ByteBuffer bytes(long offset, int lengthBytes) {
        if (faulty) {
            throw new InternalError("a fault occurred in an unsafe memory access operation");
        }
        return maps.computeIfAbsent(offset, from -> {
            try {
                return file.map(FileChannel.MapMode.READ_WRITE, from, lengthBytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public boolean isUsable(long offset, long lengthBytes, boolean written) {
        asked = (written ? "write " : "read ") + lengthBytes + " at " + offset;
        return usable;
    }

    @Override
    public void close() {
        try {
            file.close();
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

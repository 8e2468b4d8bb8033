// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What matters of an ELF file here: its machine, its program interpreter, and what its dynamic section names. Reads a bounded part of
 * the file; whatever is malformed is as if it were not there.
 *
 * @param machine number of the architecture, as EM_X86_64
 * @param interpreter the program that loads it; null for one that is linked statically
 * @param needed libraries by name
 * @param rpath DT_RPATH, which comes before LD_LIBRARY_PATH; null for none
 */
record ElfFile(
        int machine,
        @Nullable String interpreter,
        List<String> needed,
        @Nullable String rpath) {

    static final int X86_64 = 62, AARCH64 = 183;
    private static final int HEADER_BYTES = 64, PROGRAM_HEADER_BYTES = 56, ENTRY_BYTES = 16;
    private static final int MOST_PROGRAM_HEADERS = 128, MOST_ENTRIES = 4096, MOST_TEXT = 4096;
    private static final int PT_LOAD = 1, PT_DYNAMIC = 2, PT_INTERP = 3;
    private static final int DT_NEEDED = 1, DT_STRTAB = 5, DT_RPATH = 15, DT_RUNPATH = 29;
    private static final int MAGIC = 0x464c457f;
    private static final byte CLASS_64 = 2;

    /** Reads a file; null if it is no 64-bit, little-endian ELF file. */
    static @Nullable ElfFile read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer header = bytes(channel, 0, HEADER_BYTES);
            if (header.remaining() < HEADER_BYTES
                    || header.getInt(0) != MAGIC
                    || header.get(4) != CLASS_64
                    || header.get(5) != 1) {
                return null;
            }
            return new Reading(channel).of(header);
        }
    }

    private static ByteBuffer bytes(FileChannel channel, long from, int most) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(most).order(ByteOrder.LITTLE_ENDIAN);
        if (from >= 0 && from < channel.size()) {
            while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) > 0) {
                continue;
            }
        }
        return buffer.flip();
    }

    /** One file, being read. */
    private static final class Reading {

        private final FileChannel channel;
        private final List<long[]> loaded = new ArrayList<>();

        Reading(FileChannel channel) {
            this.channel = channel;
        }

        ElfFile of(ByteBuffer header) throws IOException {
            int count = Math.min(header.getShort(56) & 0xffff, MOST_PROGRAM_HEADERS);
            ByteBuffer table = bytes(channel, header.getLong(32), count * PROGRAM_HEADER_BYTES);
            String interpreter = null;
            ByteBuffer dynamic = ByteBuffer.allocate(0);
            for (int at = 0; at + PROGRAM_HEADER_BYTES <= table.limit(); at += PROGRAM_HEADER_BYTES) {
                long offset = table.getLong(at + 8);
                long size = table.getLong(at + 32);
                switch (table.getInt(at)) {
                    case PT_LOAD -> loaded.add(new long[] {table.getLong(at + 16), offset, size});
                    case PT_INTERP -> interpreter = text(offset);
                    case PT_DYNAMIC ->
                        dynamic = bytes(channel, offset, (int) Math.clamp(size, 0, (long) MOST_ENTRIES * ENTRY_BYTES));
                    default -> {}
                }
            }
            return dynamic(header.getShort(18) & 0xffff, interpreter, dynamic);
        }

        private ElfFile dynamic(int machine, @Nullable String interpreter, ByteBuffer entries) throws IOException {
            long strings = -1;
            for (int at = 0; at + ENTRY_BYTES <= entries.limit(); at += ENTRY_BYTES) {
                if (entries.getLong(at) == DT_STRTAB) {
                    strings = fileOffset(entries.getLong(at + 8));
                }
            }
            List<String> needed = new ArrayList<>();
            String rpath = null;
            boolean hasRunpath = false;
            for (int at = 0; at + ENTRY_BYTES <= entries.limit() && strings >= 0; at += ENTRY_BYTES) {
                long value = entries.getLong(at + 8);
                switch (Math.clamp(entries.getLong(at), 0, Integer.MAX_VALUE)) {
                    case DT_NEEDED -> needed.add(text(strings + value));
                    case DT_RPATH -> rpath = text(strings + value);
                    case DT_RUNPATH -> hasRunpath = true;
                    default -> {}
                }
            }
            // With a DT_RUNPATH the loader does not look at DT_RPATH.
            return new ElfFile(machine, interpreter, needed, hasRunpath ? null : rpath);
        }

        private long fileOffset(long address) {
            for (long[] segment : loaded) {
                if (address >= segment[0] && address - segment[0] < segment[2]) {
                    return address - segment[0] + segment[1];
                }
            }
            return -1;
        }

        private String text(long offset) throws IOException {
            ByteBuffer bytes = bytes(channel, offset, MOST_TEXT);
            int length = 0;
            while (length < bytes.limit() && bytes.get(length) != 0) {
                length++;
            }
            return new String(bytes.array(), 0, length, StandardCharsets.UTF_8);
        }
    }
}

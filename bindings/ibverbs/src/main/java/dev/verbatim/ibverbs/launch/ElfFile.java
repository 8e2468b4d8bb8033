// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import java.io.EOFException;
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
 * What the dynamic linker is told by a program or library of 64 bits: its architecture, its interpreter, the libraries that it needs,
 * and where it wants them looked for. Whatever the file holds, at most a few hundred kilobytes of it are read.
 *
 * @param machine {@code e_machine}: {@link #X86_64}, {@link #AARCH64} or another
 * @param interpreter the dynamic linker, of PT_INTERP; null if there is none
 * @param needed names of libraries, of DT_NEEDED
 * @param rpath of DT_RPATH, as it is written; null if there is none
 * @param runpath of DT_RUNPATH; null if there is none
 */
record ElfFile(
        int machine,
        @Nullable String interpreter,
        List<String> needed,
        @Nullable String rpath,
        @Nullable String runpath) {

    static final int X86_64 = 62, AARCH64 = 183;

    private static final int MAGIC = 0x7f454c46;
    private static final int CLASS_64 = 2, LITTLE_ENDIAN = 1;
    private static final int EXECUTABLE = 2, SHARED = 3;
    private static final int HEADER_BYTES = 64, SEGMENT_BYTES = 56, ENTRY_BYTES = 16;
    private static final int LOAD = 1, DYNAMIC = 2, INTERPRETER = 3;
    private static final int DT_NULL = 0, DT_NEEDED = 1, DT_STRTAB = 5, DT_RPATH = 15, DT_RUNPATH = 29;
    private static final int MOST_SEGMENTS = 256;
    private static final int MOST_ENTRIES = 4096;
    private static final int MOST_NEEDED = 256;
    private static final int MOST_TEXT_BYTES = 4096;

    /** Whether a file begins as ELF files do. */
    static boolean isElf(byte[] head) {
        return head.length >= 4 && ByteBuffer.wrap(head).getInt(0) == MAGIC;
    }

    /**
     * Reads a file.
     *
     * @throws BadElf if it is no ELF file of 64 bits with the little end first, or malformed
     */
    static ElfFile read(Path file) throws IOException, BadElf {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return new Reader(channel).read();
        } catch (EOFException e) {
            throw new BadElf("it is cut off");
        }
    }

    /** What a segment holds of the file: bytes at an address, from an offset on. */
    private record Segment(int type, long offset, long address, long sizeBytes) {}

    private static final class Reader {

        private final FileChannel channel;
        private final List<Segment> segments = new ArrayList<>();

        Reader(FileChannel channel) {
            this.channel = channel;
        }

        ElfFile read() throws IOException, BadElf {
            ByteBuffer header = bytes(0, HEADER_BYTES);
            if (header.order(ByteOrder.BIG_ENDIAN).getInt(0) != MAGIC) {
                throw new BadElf("it does not begin as an ELF file");
            }
            header.order(ByteOrder.LITTLE_ENDIAN);
            if (header.get(4) != CLASS_64 || header.get(5) != LITTLE_ENDIAN) {
                throw new BadElf("it is not of 64 bits with the little end first");
            }
            int type = header.getShort(16);
            if (type != EXECUTABLE && type != SHARED) {
                throw new BadElf("e_type=" + type + " is no program");
            }
            readSegments(header);
            return dynamics(header.getShort(18) & 0xffff, interpreter());
        }

        private void readSegments(ByteBuffer header) throws IOException, BadElf {
            long at = header.getLong(32);
            int size = header.getShort(54) & 0xffff;
            int count = header.getShort(56) & 0xffff;
            if (size != SEGMENT_BYTES || count > MOST_SEGMENTS) {
                throw new BadElf("e_phentsize=" + size + ", e_phnum=" + count + ", expected are " + SEGMENT_BYTES
                        + " and at most " + MOST_SEGMENTS);
            }
            ByteBuffer table = bytes(at, count * SEGMENT_BYTES);
            for (int i = 0; i < count; i++) {
                int from = i * SEGMENT_BYTES;
                segments.add(new Segment(
                        table.getInt(from),
                        table.getLong(from + 8),
                        table.getLong(from + 16),
                        table.getLong(from + 32)));
            }
        }

        private @Nullable Segment segment(int type) {
            return segments.stream()
                    .filter(each -> each.type == type)
                    .findFirst()
                    .orElse(null);
        }

        private @Nullable String interpreter() throws IOException, BadElf {
            Segment segment = segment(INTERPRETER);
            return segment == null ? null : text(segment.offset);
        }

        private ElfFile dynamics(int machine, @Nullable String interpreter) throws IOException, BadElf {
            List<String> needed = new ArrayList<>();
            Segment dynamic = segment(DYNAMIC);
            if (dynamic == null) {
                return new ElfFile(machine, interpreter, needed, null, null);
            }
            int count = (int) Math.min(Math.max(dynamic.sizeBytes, 0) / ENTRY_BYTES, MOST_ENTRIES);
            ByteBuffer table = bytes(dynamic.offset, count * ENTRY_BYTES);
            long strings = find(table, count, DT_STRTAB);
            for (int i = 0; i < count && table.getLong(i * ENTRY_BYTES) != DT_NULL; i++) {
                if (table.getLong(i * ENTRY_BYTES) == DT_NEEDED && needed.size() < MOST_NEEDED) {
                    needed.add(string(strings, table.getLong(i * ENTRY_BYTES + 8)));
                }
            }
            return new ElfFile(
                    machine,
                    interpreter,
                    List.copyOf(needed),
                    optional(strings, find(table, count, DT_RPATH)),
                    optional(strings, find(table, count, DT_RUNPATH)));
        }

        /** The value of the first entry with a tag; -1 if there is none. */
        private static long find(ByteBuffer table, int count, int tag) {
            for (int i = 0; i < count && table.getLong(i * ENTRY_BYTES) != DT_NULL; i++) {
                if (table.getLong(i * ENTRY_BYTES) == tag) {
                    return table.getLong(i * ENTRY_BYTES + 8);
                }
            }
            return -1;
        }

        private @Nullable String optional(long strings, long offset) throws IOException, BadElf {
            return offset == -1 ? null : string(strings, offset);
        }

        /** A string of the table of strings, which is known by its address in memory. */
        private String string(long strings, long offset) throws IOException, BadElf {
            for (Segment segment : segments) {
                long within = strings - segment.address;
                if (segment.type == LOAD && within >= 0 && within < segment.sizeBytes && strings >= segment.address) {
                    return text(segment.offset + within + offset);
                }
            }
            throw new BadElf("its table of strings is in no segment");
        }

        private String text(long at) throws IOException, BadElf {
            long left = at < 0 ? 0 : channel.size() - at;
            byte[] bytes = bytes(at, (int) Math.max(0, Math.min(left, MOST_TEXT_BYTES)))
                    .array();
            for (int length = 0; length < bytes.length; length++) {
                if (bytes[length] == 0) {
                    return new String(bytes, 0, length, StandardCharsets.UTF_8);
                }
            }
            throw new BadElf("a text at offset " + at + " has no end");
        }

        private ByteBuffer bytes(long at, int length) throws IOException, BadElf {
            if (at < 0 || at > Long.MAX_VALUE - length) {
                throw new BadElf("offset " + Long.toUnsignedString(at) + " is outside of the file");
            }
            ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, at + bytes.position()) < 0) {
                    throw new EOFException();
                }
            }
            return bytes;
        }
    }
}

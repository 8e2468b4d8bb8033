// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The functions of an ELF file of 64 bits, by the whole table of symbols, or that of the dynamic linker if the file was stripped. */
final class SymbolTable {

    private static final int MAGIC = 0x464c457f;
    private static final int HEADER_BYTES = 64, SECTION_BYTES = 64, SYMBOL_BYTES = 24;
    private static final int WHOLE = 2, DYNAMIC = 11;
    private static final int FUNCTION = 2, INDIRECT_FUNCTION = 10;
    private static final int MOST_BYTES = 256 << 20, MOST_NAME_BYTES = 4096;

    private final FileChannel file;

    private SymbolTable(FileChannel file) {
        this.file = file;
    }

    /** The name of the function that has the address of the file; null if there is none, or the file is no such file. */
    static @Nullable String functionAt(Path file, long address) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return new SymbolTable(channel).find(address);
        } catch (IOException | IndexOutOfBoundsException e) {
            return null;
        }
    }

    private @Nullable String find(long address) throws IOException {
        ByteBuffer header = bytes(0, HEADER_BYTES);
        if (header.getInt(0) != MAGIC) {
            return null;
        }
        int count = header.getShort(60) & 0xffff;
        ByteBuffer sections = bytes(header.getLong(40), (long) count * SECTION_BYTES);
        for (int wanted : new int[] {WHOLE, DYNAMIC}) {
            for (int i = 0; i < count; i++) {
                int at = i * SECTION_BYTES;
                if (sections.getInt(at + 4) == wanted) {
                    long names = sections.getLong(sections.getInt(at + 40) * SECTION_BYTES + 24);
                    return find(address, bytes(sections.getLong(at + 24), sections.getLong(at + 32)), names);
                }
            }
        }
        return null;
    }

    private @Nullable String find(long address, ByteBuffer symbols, long names) throws IOException {
        for (int at = 0; at + SYMBOL_BYTES <= symbols.limit(); at += SYMBOL_BYTES) {
            int type = symbols.get(at + 4) & 0xf;
            long within = address - symbols.getLong(at + 8);
            boolean isHere = within >= 0 && within < symbols.getLong(at + 16) && symbols.getShort(at + 6) != 0;
            if (isHere && (type == FUNCTION || type == INDIRECT_FUNCTION)) {
                return name(names + (symbols.getInt(at) & 0xffffffffL));
            }
        }
        return null;
    }

    private String name(long at) throws IOException {
        ByteBuffer bytes = bytes(at, Math.min(MOST_NAME_BYTES, file.size() - at));
        int length = 0;
        while (bytes.get(length) != 0) {
            length++;
        }
        byte[] name = new byte[length];
        bytes.get(0, name);
        return new String(name, StandardCharsets.UTF_8);
    }

    private ByteBuffer bytes(long at, long length) throws IOException {
        if (at < 0 || length < 0 || length > MOST_BYTES || at > file.size() - length) {
            throw new IOException("offset " + at + " of " + length + " bytes is outside of the file");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining() && file.read(bytes, at + bytes.position()) >= 0) {
            // the rest
        }
        return bytes;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** Small ELF files, byte by byte: an interpreter, one needed library, and a path. */
final class ElfFiles {

    private static final int SIZE = 512, SEGMENTS = 64, DYNAMIC = 300, STRINGS = 400, INTERPRETER = 450;

    private ElfFiles() {}

    /** A file that is well formed until {@code change} has seen it. */
    static byte[] with(Consumer<ByteBuffer> change) {
        ByteBuffer elf = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        elf.putInt(0, 0x464c457f).put(4, (byte) 2).put(5, (byte) 1);
        elf.putShort(16, (short) 3).putShort(18, (short) Reach.machineOfHost());
        elf.putLong(32, SEGMENTS).putShort(54, (short) 56).putShort(56, (short) 3);
        segment(elf, 0, 1, 0, SIZE);
        segment(elf, 1, 2, DYNAMIC, 64);
        segment(elf, 2, 3, INTERPRETER, 8);
        entry(elf, 0, 5, STRINGS);
        entry(elf, 1, 1, 0);
        entry(elf, 2, 15, 8);
        put(elf, STRINGS, "libx.so");
        put(elf, STRINGS + 8, "/own");
        put(elf, INTERPRETER, "/ld.so");
        change.accept(elf);
        return elf.array();
    }

    private static void segment(ByteBuffer elf, int index, int type, long offset, long size) {
        int at = SEGMENTS + index * 56;
        elf.putInt(at, type).putLong(at + 8, offset).putLong(at + 16, offset).putLong(at + 32, size);
    }

    private static void entry(ByteBuffer elf, int index, long tag, long value) {
        elf.putLong(DYNAMIC + index * 16, tag).putLong(DYNAMIC + index * 16 + 8, value);
    }

    private static void put(ByteBuffer elf, int at, String text) {
        for (int i = 0; i < text.length(); i++) {
            elf.put(at + i, (byte) text.charAt(i));
        }
    }
}

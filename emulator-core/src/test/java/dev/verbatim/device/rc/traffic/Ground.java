// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc.traffic;

import dev.verbatim.testing.Packets;
import dev.verbatim.verbs.Memory;

/**
 * The memory that programs play on. Kept between runs, because addresses are never used twice and a replay shall see the
 * same ones.
 */
final class Ground {

    static final int MOST_STREAMS = 6;
    static final int MOST_OPERATIONS = 24;

    /** Where a message or a result lands: one slot for each operation, with bytes around it that nobody may touch. */
    static final int SLOT_BYTES = Program.LONGEST_BYTES + 36;

    /** What messages are gathered from: a slot for each operation. Never written to. */
    static final int SOURCE_BYTES = MOST_OPERATIONS * SLOT_BYTES;

    static final int LANDING = SOURCE_BYTES;
    static final int INBOX = Program.TARGET_BYTES;

    private static final int SIZE_BYTES = SOURCE_BYTES + MOST_OPERATIONS * SLOT_BYTES;

    /** At the requester of each stream: the source, and where results land. */
    final Memory[] asking = new Memory[MOST_STREAMS];

    /** At the responder of each stream: the target, and where messages land. */
    final Memory[] answering = new Memory[MOST_STREAMS];

    /** The word that all streams to one side share. */
    final Memory[] shared = {Memory.allocate(Long.BYTES), Memory.allocate(Long.BYTES)};

    Ground() {
        for (int i = 0; i < MOST_STREAMS; i++) {
            asking[i] = Memory.allocate(SIZE_BYTES);
            answering[i] = Memory.allocate(SIZE_BYTES);
        }
    }

    /** As before the first run. */
    Ground fresh() {
        for (int i = 0; i < MOST_STREAMS; i++) {
            asking[i].buffer().put(0, Packets.pattern(i * 1000, SIZE_BYTES));
            answering[i].buffer().put(0, Packets.pattern(i * 1000 + 500, SIZE_BYTES));
        }
        shared[0].buffer().putLong(0, 0);
        shared[1].buffer().putLong(0, 0);
        return this;
    }

    static byte[] bytes(Memory memory) {
        byte[] bytes = new byte[(int) memory.sizeBytes()];
        memory.buffer().get(0, bytes);
        return bytes;
    }

    static int slot(int operation) {
        return operation * SLOT_BYTES + Long.BYTES;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import dev.verbatim.cli.soak.account.SoakFailures;
import dev.verbatim.verbs.Memory;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Memory on which regions come and go. While there is none it holds a pattern, which nobody may touch: after a deregistration no
 * byte is written through its keys (MR-54).
 */
public final class MemoryBlock {

    public static final int BYTES = 1 << 15;

    private static final long PATTERN = 0x5ea1_ed00_5ea1_ed00L;

    private final Memory memory = Memory.allocate(BYTES);
    private final SoakFailures failures;
    private int regions;

    MemoryBlock(SoakFailures failures) {
        this.failures = failures;
        seal();
    }

    public Memory memory() {
        return memory;
    }

    /** A region is about to be registered on it. */
    public synchronized void enter() {
        if (regions++ == 0) {
            checkSeal();
        }
    }

    /** A region was deregistered, or came to nothing. */
    public synchronized void leave() {
        if (--regions == 0) {
            seal();
        }
    }

    public synchronized void checkIfSealed() {
        if (regions == 0) {
            checkSeal();
        }
    }

    private void seal() {
        ByteBuffer bytes = memory.buffer();
        for (int at = 0; at < BYTES; at += Long.BYTES) {
            bytes.putLong(at, PATTERN + at);
        }
    }

    private void checkSeal() {
        ByteBuffer bytes = memory.buffer();
        for (int at = 0; at < BYTES; at += Long.BYTES) {
            if (bytes.getLong(at) != PATTERN + at) {
                failures.add(
                        List.of(),
                        "%s was written at offset %d while no region lay on it [MR-54]: 0x%x",
                        memory,
                        at,
                        bytes.getLong(at));
                return;
            }
        }
    }
}

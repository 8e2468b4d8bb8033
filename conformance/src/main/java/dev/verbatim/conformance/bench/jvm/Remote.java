// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.jvm;

/** The side whose memory is written and read; it posts nothing. */
public interface Remote extends AutoCloseable {

    /** Where its memory begins. */
    long address();

    /** The key of its memory. */
    int rkey();

    /** The 8 bytes at an offset. */
    long peek(int offset);

    /** Changes the 8 bytes at an offset. */
    void poke(int offset, long value);

    /** From now on it is there for its peer, and counts what it allocates. */
    void drive();

    /** From now on it does nothing; the bytes that its threads allocated since {@link #drive()}. */
    long rest();

    @Override
    void close();
}

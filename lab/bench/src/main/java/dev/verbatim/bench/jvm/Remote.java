// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

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

    /** Posts receives for SENDs of a word, if it has not yet, and posts each again when it has completed. */
    void receive();

    /** How many receives have completed. */
    long received();

    /** Where no thread does its part, this does a little of it. */
    void progress();

    /** From now on it is there for its peer, and counts what it allocates. */
    void drive();

    /** From now on it does nothing; the bytes that its threads allocated since {@link #drive()}. */
    long rest();

    @Override
    void close();
}

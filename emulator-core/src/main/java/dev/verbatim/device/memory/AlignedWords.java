// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

/** Where runs of bytes may be cut: an aligned word of memory is never torn (ORD-37). */
final class AlignedWords {

    private static final int WORD_BYTES = 8;

    /** Words of a packet of the smallest path MTU, wherever it begins: longer runs are read in so many parts of several words. */
    private static final int MOST_PARTS = 256 / WORD_BYTES + 1;

    private AlignedWords() {}

    /** How many words have bytes of the run. */
    static int of(long address, int lengthBytes) {
        return (skew(address) + lengthBytes + WORD_BYTES - 1) / WORD_BYTES;
    }

    /** Cuts a run that is read. */
    static int[] cut(long address, int lengthBytes) {
        return cut(address, lengthBytes, MOST_PARTS);
    }

    /**
     * Cuts a run into its words, or, if they are too many, into parts of about as many words each.
     *
     * @return where the parts end, counted from the first byte; the last is {@code lengthBytes}
     */
    static int[] cut(long address, int lengthBytes, int mostParts) {
        int parts = Math.min(mostParts, of(address, lengthBytes));
        int[] ends = new int[parts];
        int from = 0;
        for (int part = 0; part < parts - 1; part++) {
            int skew = skew(address + from);
            int words = Math.max(1, (skew + (lengthBytes - from) / (parts - part)) / WORD_BYTES);
            from += words * WORD_BYTES - skew;
            ends[part] = from;
        }
        ends[parts - 1] = lengthBytes;
        return ends;
    }

    private static int skew(long address) {
        return (int) (address & (WORD_BYTES - 1));
    }
}

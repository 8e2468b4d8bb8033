// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.verbs.Memory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The memory of a trial, with places that nobody may touch between the regions. It notices every byte that changed, and colours
 * what no peer may read, so that a byte of it is known wherever it turns up.
 */
final class Ground {

    /** Some bytes of the ground. */
    record Range(int begin, int end) {}

    static final int SIZE_BYTES = 1 << 14;

    /** Of bytes that no region covers. */
    static final byte FORBIDDEN = (byte) 0xdb;

    /** Of bytes that the program's own requests may read, and no peer. */
    static final byte PRIVATE = (byte) 0xa5;

    private static final byte READABLE = 0;
    private static final byte PLAIN = 0x11;

    /** So many bytes of one colour are no accident. */
    private static final int TELLTALE_BYTES = 4;

    private static final Memory MEMORY = Memory.allocate(SIZE_BYTES);

    private final ByteBuffer bytes = MEMORY.buffer();
    private final byte[] known = new byte[SIZE_BYTES];
    private final ByteBuffer knownBytes = ByteBuffer.wrap(known);
    private final byte[] colours = new byte[SIZE_BYTES];

    Memory memory() {
        return MEMORY;
    }

    /** Where an address lies in the memory; may be outside of it. */
    static long indexOf(long address) {
        return address - MEMORY.address();
    }

    /** Colours every byte that peers may not read, and no other; as the program may, whose memory it is. */
    void paint(List<Region> covered, List<Range> readable) {
        Arrays.fill(colours, FORBIDDEN);
        for (Region region : covered) {
            Arrays.fill(colours, region.begin, region.begin + region.lengthBytes, PRIVATE);
        }
        for (Range range : readable) {
            Arrays.fill(colours, range.begin(), range.end(), READABLE);
        }
        for (int i = 0; i < SIZE_BYTES; i++) {
            if (colours[i] != READABLE) {
                known[i] = colours[i];
            } else if (known[i] == PRIVATE || known[i] == FORBIDDEN) {
                known[i] = PLAIN;
            }
        }
        bytes.put(0, known);
    }

    /** Each byte that has changed since this was asked last is one that might. */
    void assertOnlyTheseChanged(String what, IntPredicate permitted) {
        for (int at = firstChange(0); at >= 0; at = firstChange(at)) {
            byte now = bytes.get(at);
            if (!permitted.test(at)) {
                throw new AssertionError(what + " changed the byte at " + at + " from " + known[at] + " to " + now
                        + ", which it had no right to");
            }
            known[at] = colours[at] != READABLE ? colours[at] : now;
            bytes.put(at, known[at]);
            at++;
        }
    }

    private int firstChange(int from) {
        int length = SIZE_BYTES - from;
        int at = bytes.slice(from, length).mismatch(knownBytes.slice(from, length));
        return at < 0 ? at : from + at;
    }

    /** Whether the bytes show a stretch of this colour. */
    static boolean shows(byte[] seen, byte colour) {
        int run = 0;
        for (byte one : seen) {
            run = one == colour ? run + 1 : 0;
            if (run == TELLTALE_BYTES) {
                return true;
            }
        }
        return false;
    }

    static void assertShowsNot(String what, byte[] seen, byte colour) {
        assertThat(shows(seen, colour))
                .as("%s shows memory of the colour %d, which it had no right to read", what, colour)
                .isFalse();
    }

    /** In the end both hold the same. */
    void assertIsAs(Ground other, String both) {
        int at = knownBytes.mismatch(other.knownBytes);
        if (at >= 0) {
            throw new AssertionError(both + ": the byte at " + at + " is " + known[at] + " and " + other.known[at]);
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.Memory;
import java.util.Locale;

/**
 * What a local key leads to.
 *
 * @param offset first byte of the memory
 * @param address what the keys call that byte
 */
record Region(int lkey, int rkey, Memory memory, int offset, int lengthBytes, long address) {

    /** The bytes that the keys call so. */
    Range at(long named, int count) {
        return new Range(memory.address() + offset + (named - address), count);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "region [0x%x,0x%x)", address, address + lengthBytes);
    }
}

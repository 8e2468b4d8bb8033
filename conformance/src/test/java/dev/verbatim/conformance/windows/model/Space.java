// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import java.util.Arrays;

/** Memory: bytes and the address of the first. */
public final class Space {

    private final String name;
    private final long address;
    private final byte[] bytes;

    /** That many zeros. */
    public Space(String name, long address, int sizeBytes) {
        this.name = name;
        this.address = address;
        this.bytes = new byte[sizeBytes];
    }

    /** The bytes themselves. */
    public byte[] bytes() {
        return bytes;
    }

    /** The address of the first. */
    public long address() {
        return address;
    }

    byte[] read(long offset, int count) {
        return Arrays.copyOfRange(bytes, (int) offset, (int) offset + count);
    }

    void write(long offset, byte[] source, int count) {
        System.arraycopy(source, 0, bytes, (int) offset, count);
    }

    @Override
    public String toString() {
        return name;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Bytes as a value: immutable, and equal when their contents are. */
public final class Octets {
    /** No bytes at all. */
    public static final Octets EMPTY = new Octets(new byte[0]);

    private final byte[] bytes;

    private Octets(byte[] owned) {
        this.bytes = owned;
    }

    /** Returns a value that holds a copy of the bytes. */
    public static Octets of(byte... bytes) {
        return bytes.length == 0 ? EMPTY : new Octets(bytes.clone());
    }

    /** Returns a value that holds a copy of a payload. */
    public static Octets of(Payload payload) {
        return payload.lengthBytes() == 0 ? EMPTY : new Octets(payload.toBytes());
    }

    public int lengthBytes() {
        return bytes.length;
    }

    /** Returns a copy. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /** Returns a read-only view, big-endian, with all bytes remaining. */
    public ByteBuffer asByteBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Octets octets && Arrays.equals(bytes, octets.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns the bytes in hexadecimal. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}

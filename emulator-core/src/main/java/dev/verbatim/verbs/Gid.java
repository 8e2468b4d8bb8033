// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A 128-bit port address. Address vectors identify the peer by its GID.
 *
 * @param prefix the high 64 bits
 * @param interfaceId the low 64 bits
 */
public record Gid(long prefix, long interfaceId) implements Comparable<Gid> {

    private static final long LINK_LOCAL_PREFIX = 0xfe80_0000_0000_0000L;

    private static final int IPV6_BYTES = 16;
    private static final int TEXT_LENGTH = 39;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);
    private static final long IPV4_MAPPED = 0xffff_0000_0000L;

    /** The link-local GID of the device with this GUID. */
    public static Gid ofGuid(long guid) {
        return new Gid(LINK_LOCAL_PREFIX, guid);
    }

    /** The GID that is this address: an IPv6 address is one, and an IPv4 address becomes {@code ::ffff:a.b.c.d}. */
    public static Gid of(InetAddress address) {
        byte[] bytes = address.getAddress();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return bytes.length == IPV6_BYTES
                ? new Gid(buffer.getLong(), buffer.getLong())
                : new Gid(0, IPV4_MAPPED | Integer.toUnsignedLong(buffer.getInt()));
    }

    /** The address that this GID is: an IPv4 address if it has the form {@code ::ffff:a.b.c.d}, else an IPv6 address. */
    public InetAddress toInetAddress() {
        try {
            return InetAddress.getByAddress(ByteBuffer.allocate(IPV6_BYTES)
                    .putLong(prefix)
                    .putLong(interfaceId)
                    .array());
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address of " + IPV6_BYTES + " bytes is refused", impossible);
        }
    }

    /**
     * Reads what {@link #toString()} writes: eight groups of four hexadecimal digits, joined by colons.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static Gid parse(String text) {
        String[] groups = text.trim().split(":", -1);
        long[] halves = new long[2];
        if (groups.length != 8) {
            throw malformed(text);
        }
        for (int i = 0; i < 8; i++) {
            if (!groups[i].matches("[0-9a-fA-F]{4}")) {
                throw malformed(text);
            }
            halves[i / 4] = halves[i / 4] << 16 | Integer.parseInt(groups[i], 16);
        }
        return new Gid(halves[0], halves[1]);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "gid=" + text + " is not eight groups of four hexadecimal digits; write it as fe80:0000:...:0001");
    }

    @Override
    public int compareTo(Gid other) {
        int byPrefix = Long.compareUnsigned(prefix, other.prefix);
        return byPrefix != 0 ? byPrefix : Long.compareUnsigned(interfaceId, other.interfaceId);
    }

    @Override
    public String toString() {
        byte[] text = new byte[TEXT_LENGTH];
        for (int digit = 0, at = 0; at < TEXT_LENGTH; digit++, at++) {
            if (digit > 0 && digit % 4 == 0) {
                text[at++] = ':';
            }
            long half = digit < 16 ? prefix : interfaceId;
            text[at] = HEX[(int) (half >>> (Long.SIZE - 4 - digit % 16 * 4)) & 0xf];
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }
}

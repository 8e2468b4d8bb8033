// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Random;
import java.util.zip.CRC32;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class IcrcPropertiesTest {
    private final Icrc icrc = new Icrc();

    @Property(tries = 100)
    @Rule("IC-01")
    void everyFlippedBitShowsExactlyIfNoRouterMayFlipIt(
            @ForAll boolean ipv6, @ForAll @IntRange(max = 400) int payloadBytes, @ForAll long seed) {
        byte[] bytes = datagram(ipv6, payloadBytes, seed);
        int intact = icrc(bytes);
        BitSet mutable = mutableBits(ipv6);
        // The first byte of IPv4 says where everything else lies: it is changed nowhere but in whole-datagram tests.
        for (int bit = ipv6 ? 4 : 8; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (0x80 >> bit % 8);
            assertThat(icrc(bytes) == intact).as("bit %d is not noticed", bit).isEqualTo(mutable.get(bit));
            bytes[bit / 8] ^= (byte) (0x80 >> bit % 8);
        }
    }

    @Property
    @Rule("IC-01")
    void itIsTheCrcOfOnesAndTheDatagramWithOnesWhereRoutersWrite(
            @ForAll boolean ipv6, @ForAll @IntRange(max = 9000) int payloadBytes, @ForAll long seed) {
        byte[] bytes = datagram(ipv6, payloadBytes, seed);
        int computed = icrc(bytes);
        mutableBits(ipv6).stream().forEach(bit -> bytes[bit / 8] |= (byte) (0x80 >> bit % 8));
        CRC32 crc = new CRC32();
        crc.update(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
        crc.update(bytes);
        assertThat(Integer.reverseBytes(computed)).isEqualTo((int) crc.getValue());
    }

    private int icrc(byte[] bytes) {
        return icrc.of(ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    private static byte[] datagram(boolean ipv6, int payloadBytes, long seed) {
        byte[] bytes = new byte[(ipv6 ? 40 : 20) + 8 + 12 + payloadBytes];
        new Random(seed).nextBytes(bytes);
        bytes[0] = (byte) (ipv6 ? 0x60 | bytes[0] & 0x0f : 0x45);
        return bytes;
    }

    /** Written as the rule says it, bit by bit. */
    private static BitSet mutableBits(boolean ipv6) {
        BitSet bits = new BitSet();
        if (ipv6) {
            bits.set(4, 32);
            bits.set(7 * 8, 8 * 8);
        } else {
            bits.set(8, 2 * 8);
            bits.set(8 * 8, 9 * 8);
            bits.set(10 * 8, 12 * 8);
        }
        int udp = (ipv6 ? 40 : 20) * 8;
        bits.set(udp + 6 * 8, udp + 8 * 8);
        bits.set(udp + 12 * 8, udp + 13 * 8);
        return bits;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.testing.Rule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class IcrcTest {
    /** 10.0.0.1 to 10.0.0.2, TTL 64, DF; port 49152 to 4791, no checksum; SEND_ONLY to 0x11; "RDMA". */
    private static final String OVER_IPV4 =
            "4500003000004000401100000a0000010a000002" + "c00012b7001c0000" + "0400ffff0000001180123456" + "52444d41";

    /** The same packet from fe80::1 to fe80::2. */
    private static final String OVER_IPV6 =
            "60000000001c1140fe800000000000000000000000000001fe800000000000000000000000000002" + "c01112b7001c0000"
                    + "0400ffff0000001180123456" + "52444d41";

    private final Icrc icrc = new Icrc();

    @Test
    @Rule({"TV-11", "IC-01"})
    void datagramOverIpv4EndsAsInTheVector() {
        assertThat(icrc(OVER_IPV4)).isEqualTo(0xd64d040a);
    }

    /** Computed with another CRC-32 from the words of the rule. */
    @Test
    @Rule("IC-01")
    void datagramOverIpv6EndsAsComputedElsewhere() {
        assertThat(icrc(OVER_IPV6)).isEqualTo(0xa2ca7b7d);
    }

    @Test
    @Rule("IC-01")
    void optionsOfIpv4AreCoveredAndMoveWhatIsMaskedBehindThem() {
        String withOptions = OVER_IPV4.replaceFirst("^45", "46").replaceFirst("0a000002", "0a00000294040000");
        assertThat(icrc(withOptions)).isNotEqualTo(icrc(OVER_IPV4));
        assertThat(icrc(withOptions.replaceFirst("94040000", "94040001"))).isNotEqualTo(icrc(withOptions));
        assertThat(icrc(withOptions.replaceFirst("001c0000", "001cbeef"))).isEqualTo(icrc(withOptions));
    }

    @Test
    void onesComputedAfterAnotherAreNotInfluencedByIt() {
        assertThat(icrc(OVER_IPV6)).isEqualTo(0xa2ca7b7d);
        assertThat(icrc(OVER_IPV4)).isEqualTo(0xd64d040a);
        assertThat(icrc(OVER_IPV6)).isEqualTo(0xa2ca7b7d);
    }

    @Test
    void placeAndKindOfTheBufferDoNotMatter() {
        byte[] bytes = HexFormat.of().parseHex(OVER_IPV4);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 8).order(ByteOrder.LITTLE_ENDIAN);
        direct.put(5, bytes).position(3);
        assertThat(icrc.of(direct, 5, bytes.length)).isEqualTo(0xd64d040a);
        assertThat(direct.position()).isEqualTo(3);
    }

    @Test
    void whatIsNoDatagramIsRefusedWithASentence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> icrc("55" + OVER_IPV4.substring(2)))
                .withMessageContaining("firstByte=0x55 begins no header of IPv4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> icrc("44" + OVER_IPV4.substring(2)))
                .withMessageContaining("firstByte=0x44 begins no header of IPv4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> icrc(OVER_IPV4.substring(0, 78)))
                .withMessageContaining("lengthBytes=39 < 40 bytes of IP, UDP and BTH");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> icrc.of(ByteBuffer.allocate(48), 8, 41))
                .withMessageContaining("offset=8 lengthBytes=41 is not within the buffer's limit=48");
    }

    private int icrc(String hex) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
        return icrc.of(bytes, 0, bytes.limit());
    }

    @Test
    void onesOfAnyLengthBehindEachOtherAreThoseOfAFreshObject() {
        Icrc again = new Icrc();
        for (int lengthBytes : new int[] {60, 119, 120, 121, 127, 128, 129, 2_048, 2_100, 5_000, 61, 4_096}) {
            byte[] datagram = new byte[lengthBytes];
            for (int i = 0; i < lengthBytes; i++) {
                datagram[i] = (byte) (i * 31 + lengthBytes);
            }
            datagram[0] = 0x60;
            ByteBuffer buffer = ByteBuffer.wrap(datagram);
            CRC32 whole = new CRC32();
            whole.update(masked(datagram));
            assertThat(again.of(buffer, 0, lengthBytes))
                    .as("lengthBytes=%d", lengthBytes)
                    .isEqualTo(Integer.reverseBytes((int) whole.getValue()));
        }
    }

    /** Eight bytes of ones, and a datagram over IPv6 in which ones stand for what routers may change (IC-01). */
    private static byte[] masked(byte[] datagram) {
        byte[] masked = new byte[8 + datagram.length];
        System.arraycopy(datagram, 0, masked, 8, datagram.length);
        for (int at : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 15, 54, 55, 60}) {
            masked[at] = (byte) 0xff;
        }
        masked[8] |= 0x0f;
        return masked;
    }
}

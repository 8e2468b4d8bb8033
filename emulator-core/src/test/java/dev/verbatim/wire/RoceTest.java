// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbatim.testing.Rule;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Datagrams of RoCEv2, written and read. */
class RoceTest {
    private static final long LINK_LOCAL = 0xfe80_0000_0000_0000L;
    private static final RoceRoute ROUTE = new RoceRoute(LINK_LOCAL, 1, LINK_LOCAL, 2);
    private static final String DATAGRAM =
            "60000000001c1140fe800000000000000000000000000001fe800000000000000000000000000002" + "c01112b7001cb9a1"
                    + "0400ffff0000001180123456" + "52444d41" + "a2ca7b7d";

    private final RoceWriter writer = new RoceWriter();
    private final RoceView view = new RoceView();

    /** Computed with another program from the words of the rule and of the RFCs. */
    @Test
    @Rule("IC-01")
    void packetIsWrappedAsComputedElsewhere() {
        Packet packet = reference();
        byte[] bytes = new byte[68];
        int length = writer.write(packet, ROUTE, ByteBuffer.wrap(bytes), 0);
        assertThat(length).isEqualTo(68).isEqualTo(RoceWriter.encodedLengthBytes(packet, ROUTE));
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(DATAGRAM);
    }

    /** 0xc000 and a hash of the number, whatever the flow label, as measured of soft-RoCE. */
    @Test
    void managementDatagramComesFromThePortThatWasMeasured() {
        ByteBuffer bytes = ByteBuffer.allocate(RoceWriter.encodedLengthBytes(reference(), ROUTE));
        writer.write(reference().destQp(1), ROUTE, bytes, 0);
        assertThat(Short.toUnsignedInt(bytes.getShort(40))).isEqualTo(55_410);
    }

    @Test
    void whatLiesAroundTheDatagramIsNotTouched() {
        byte[] bytes = HexFormat.of().parseHex("ee".repeat(76));
        writer.write(reference(), ROUTE, ByteBuffer.wrap(bytes), 4);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("ee".repeat(4) + DATAGRAM + "ee".repeat(4));
    }

    @Test
    @Rule("IC-01")
    void wrappedPacketIsRead() {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex("00" + DATAGRAM));
        assertThat(view.wrap(bytes, 1, 68)).isNull();
        assertThat(view.route()).isEqualTo(ROUTE);
        Packet read = new Packet();
        view.packet().readInto(read);
        assertThat(PacketRecord.of(read)).isEqualTo(PacketRecord.of(reference()));
    }

    @Test
    @Rule({"IC-01", "UD-01"})
    void wayIsReadBackAndDoesNotChangeTheIcrc() {
        byte[] bytes = new byte[68];
        Packet packet = reference().trafficClass(0xa5).flowLabel(0xf_1234).hopLimit(7);
        writer.write(packet, ROUTE, ByteBuffer.wrap(bytes), 0);
        String changed = "6a5f1234001c1107" + DATAGRAM.substring(16);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(changed);
        assertThat(view.wrap(ByteBuffer.wrap(bytes), 0, 68)).isNull();
        Packet read = new Packet();
        view.readInto(read);
        assertThat(PacketRecord.of(read)).isEqualTo(PacketRecord.of(packet)).isNotEqualTo(PacketRecord.of(reference()));
        assertThat(read).asString().endsWith(" tclass=0xa5 flow=0xf1234 hops=7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 50   | IP version=5 != 6",
                "4 | 001b | IPv6 payloadLength=27 != 28",
                "4 | 001d | IPv6 payloadLength=29 != 28",
                "6 | 06   | nextHeader=6 != 17",
                "42 | 12b8 | UDP destinationPort=4792 != 4791",
                "44 | 001b | UDP length=27 != 28",
                "60 | 53   | icrc=0xa2ca7b7d but the bytes before it give 0x",
                "64 | a3   | icrc=0xa3ca7b7d but the bytes before it give 0xa2ca7b7d"
            })
    @Rule("IC-01")
    void changedDatagramIsRefusedWithASentence(int at, String bytes, String sentence) {
        byte[] datagram = HexFormat.of().parseHex(DATAGRAM);
        byte[] change = HexFormat.of().parseHex(bytes);
        System.arraycopy(change, 0, datagram, at, change.length);
        assertThat(view.wrap(ByteBuffer.wrap(datagram), 0, 68)).contains(sentence);
        assertThatIllegalStateException().isThrownBy(view::packet).withMessageContaining("no datagram is wrapped");
        assertThatIllegalStateException().isThrownBy(view::route).withMessageContaining("no datagram is wrapped");
    }

    /** The same packet from 10.0.0.1 to 10.0.0.2: the vector of the rule, but from the port of its queue pair and with checksums. */
    private static final String OVER_IPV4 = "4500003000004000401126bb0a0000010a000002" + "c01112b7001c6d3a"
            + "0400ffff0000001180123456" + "52444d41" + "4e210590";

    private static final RoceRoute IPV4_ROUTE = RoceRoute.ofIpv4(0x0a000001, 0x0a000002);

    @Test
    @Rule("IC-01")
    void packetBetweenIpv4AddressesIsWrappedWithTheirHeaderAndRead() {
        byte[] bytes = new byte[48];
        assertThat(writer.write(reference(), IPV4_ROUTE, ByteBuffer.wrap(bytes), 0))
                .isEqualTo(48);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(OVER_IPV4);
        assertThat(view.wrap(ByteBuffer.wrap(bytes), 0, 48)).isNull();
        assertThat(view.route()).isEqualTo(IPV4_ROUTE);
        Packet read = new Packet();
        view.readInto(read);
        assertThat(PacketRecord.of(read)).isEqualTo(PacketRecord.of(reference()));
    }

    /** As adapters send them: with another identification, which the ICRC covers, and without the checksum of UDP. */
    @Test
    @Rule("IC-01")
    void identificationAndOptionsOfIpv4AreCovered() {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(OVER_IPV4));
        bytes.putShort(4, (short) 0xbeef).putShort(26, (short) 0);
        assertThat(view.wrap(bytes, 0, 48)).contains("icrc=0x");
        bytes.putInt(44, new Icrc().of(bytes, 0, 44));
        assertThat(view.wrap(bytes, 0, 48)).isNull();
        String options = OVER_IPV4.replaceFirst("^45000030", "46000034").replaceFirst("0a000002", "0a00000294040000");
        ByteBuffer longer = ByteBuffer.wrap(HexFormat.of().parseHex(options));
        longer.putInt(48, new Icrc().of(longer, 0, 48));
        assertThat(view.wrap(longer, 0, 52)).isNull();
        assertThat(view.route()).isEqualTo(IPV4_ROUTE);
        assertThat(view.packet().psn()).isEqualTo(0x123456);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0  | 44   | IPv4 headerBytes=16 < 20",
                "0  | 4f   | datagram is cut off: lengthBytes=48 < 84",
                "2  | 0031 | IPv4 totalLength=49 != 48",
                "6  | 2000 | IPv4 fragment=8192 != 0",
                "6  | 0001 | IPv4 fragment=1 != 0",
                "9  | 06   | protocol=6 != 17",
                "22 | 12b8 | UDP destinationPort=4792 != 4791",
                "24 | 001b | UDP length=27 != 28",
                "16 | 0b   | icrc=0x"
            })
    @Rule("IC-01")
    void changedDatagramOverIpv4IsRefusedWithASentence(int at, String bytes, String sentence) {
        byte[] datagram = HexFormat.of().parseHex(OVER_IPV4);
        byte[] change = HexFormat.of().parseHex(bytes);
        System.arraycopy(change, 0, datagram, at, change.length);
        assertThat(view.wrap(ByteBuffer.wrap(datagram), 0, 48)).contains(sentence);
        assertThatIllegalStateException().isThrownBy(view::route).withMessageContaining("no datagram is wrapped");
    }

    @Test
    void mappedAddressesInAnIpv6HeaderAreRefused() {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(DATAGRAM));
        bytes.putLong(8, 0).putLong(16, IPV4_ROUTE.sourceLow()).putLong(24, 0).putLong(32, IPV4_ROUTE.destinationLow());
        bytes.putInt(64, new Icrc().of(bytes, 0, 64));
        assertThat(view.wrap(bytes, 0, 68)).contains("IPv6 carries IPv4-mapped addresses; use the IPv4 header");
    }

    @Test
    void longestDatagramOverIpv4IsWrittenAndOneByteMoreIsRefused() {
        ByteBuffer memory = ByteBuffer.allocate(70_000);
        Packet packet = new Packet().begin(Opcode.SEND_MIDDLE);
        packet.payload().add(memory, 0, 65_488);
        ByteBuffer bytes = ByteBuffer.allocate(70_000);
        int length = writer.write(packet, IPV4_ROUTE, bytes, 0);
        assertThat(length).isEqualTo(65_532).isEqualTo(RoceWriter.mostDatagramBytes(IPV4_ROUTE));
        assertThat(view.wrap(bytes, 0, length)).isNull();
        packet.payload().add(memory, 0, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.write(packet, IPV4_ROUTE, bytes, 0))
                .withMessageContaining("lengthBytes=65536 > 65532; split the message");
    }

    @ParameterizedTest
    @CsvSource({
        "0,  0, datagram is cut off: lengthBytes=0 < 44",
        "0, 63, datagram is cut off: lengthBytes=63 < 64",
        "0, 67, IPv6 payloadLength=28 != 27",
        "0, 69, is not within the buffer's limit=68",
        "1, 68, is not within the buffer's limit=68",
        "-1, 68, is not within the buffer's limit=68"
    })
    void cutDatagramIsRefusedWithASentence(int offset, int lengthBytes, String sentence) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(DATAGRAM));
        assertThat(view.wrap(bytes, offset, lengthBytes)).contains(sentence);
    }

    /** As a checksum, zero means that there is none; one datagram in 65535 would have it. */
    @Test
    void checksumThatComesToZeroIsWrittenAsOnes() {
        ByteBuffer bytes = ByteBuffer.allocate(68);
        Packet packet = reference();
        int zeros = 0;
        int ones = 0;
        for (int address = 0; address < 400_000; address++) {
            writer.write(packet, new RoceRoute(LINK_LOCAL, address, LINK_LOCAL, 2), bytes, 0);
            zeros += bytes.getShort(46) == 0 ? 1 : 0;
            ones += bytes.getShort(46) == -1 ? 1 : 0;
        }
        assertThat(zeros).isZero();
        assertThat(ones).isPositive();
    }

    @Test
    void longestDatagramIsWrittenAndOneByteMoreIsRefused() {
        ByteBuffer memory = ByteBuffer.allocate(70_000);
        Packet packet = new Packet().begin(Opcode.SEND_MIDDLE);
        packet.payload().add(memory, 0, 65_508);
        ByteBuffer bytes = ByteBuffer.allocate(70_000);
        int length = writer.write(packet, ROUTE, bytes, 0);
        assertThat(view.wrap(bytes, 0, length)).isNull();
        assertThat(length).isEqualTo(RoceWriter.mostDatagramBytes(ROUTE));
        assertThat(view.packet().payloadLengthBytes()).isEqualTo(65_508);

        packet.payload().add(memory, 0, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.write(packet, ROUTE, bytes, 0))
                .withMessageContaining("SEND_MIDDLE gives a datagram of lengthBytes=65576 > 65572; split the message");
    }

    @Test
    void writerRefusesWhatDoesNotFitAndWritesNothing() {
        ByteBuffer bytes = ByteBuffer.allocate(68);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.write(reference(), ROUTE, bytes, 1))
                .withMessageContaining("SEND_ONLY needs 68 bytes at offset=1 but the target's limit=68");
        assertThat(bytes).isEqualTo(ByteBuffer.allocate(68));
    }

    private static Packet reference() {
        Packet packet = new Packet()
                .begin(Opcode.SEND_ONLY)
                .migRequest(false)
                .destQp(0x11)
                .ackRequest(true)
                .psn(0x123456);
        packet.payload().add(ByteBuffer.wrap("RDMA".getBytes(StandardCharsets.US_ASCII)), 0, 4);
        return packet;
    }
}

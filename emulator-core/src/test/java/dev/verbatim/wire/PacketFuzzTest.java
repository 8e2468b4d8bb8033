// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bytes as packets and datagrams: refused with a sentence, or read without leaving them and written again with the same meaning. */
@Tag("smoke")
class PacketFuzzTest {

    private static final int BEFORE = 5;
    private static final int BEHIND = 64;
    private static final RoceRoute ROUTE = new RoceRoute(0xfe80_0000_0000_0000L, 1, 0xfe80_0000_0000_0000L, 2);

    @FuzzTest
    void packet(byte[] bytes) {
        PacketView view = new PacketView();
        String refusal = view.wrap(surrounded(bytes, (byte) 0), BEFORE, bytes.length);
        assertThat(new PacketView().wrap(surrounded(bytes, (byte) -1), BEFORE, bytes.length))
                .isEqualTo(refusal);
        assertThat(new PacketView().wrap(ByteBuffer.wrap(bytes), 0, bytes.length))
                .isEqualTo(refusal);
        if (refusal != null) {
            assertThat(refusal).isNotBlank();
            return;
        }
        PacketRecord read = record(view);
        byte[] withoutPad = bytes.clone();
        ReservedBits.set(withoutPad, read.opcode(), 0);
        Arrays.fill(withoutPad, bytes.length - view.padCount(), bytes.length, (byte) 0);
        assertThat(read.emit()).isEqualTo(withoutPad);
        assertThat(PacketRecord.parse(withoutPad)).isEqualTo(read);
        assertThat(read.toString()).isNotBlank();
    }

    /** The first byte says whether lengths and checksum are made right, without which little else would be seen. */
    @FuzzTest
    void datagram(byte[] input) {
        byte[] bytes = Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
        if (input.length > 0 && input[0] != 0) {
            mend(bytes);
        }
        RoceView view = new RoceView();
        String refusal = view.wrap(surrounded(bytes, (byte) 0), BEFORE, bytes.length);
        assertThat(new RoceView().wrap(surrounded(bytes, (byte) -1), BEFORE, bytes.length))
                .isEqualTo(refusal);
        if (refusal != null) {
            assertThat(refusal).isNotBlank();
            return;
        }
        PacketRecord read = record(view);
        byte[] again = datagram(read, view.route());
        RoceView other = new RoceView();
        assertThat(other.wrap(ByteBuffer.wrap(again), 0, again.length)).isNull();
        assertThat(record(other)).isEqualTo(read);
        assertThat(other.route()).isEqualTo(view.route());
    }

    private static void mend(byte[] bytes) {
        int version = bytes.length == 0 ? 0 : bytes[0] >> RoceLayout.VERSION_SHIFT;
        int ipBytes = version == 4 ? (bytes[0] & 0xf) * Integer.BYTES : RoceLayout.IPV6_HEADER_BYTES;
        int behindIp = bytes.length - ipBytes;
        if (version != 4 && version != 6
                || ipBytes < RoceLayout.IPV4_MIN_HEADER_BYTES
                || behindIp < RoceLayout.UDP_HEADER_BYTES + Header.BTH.sizeBytes() + Icrc.SIZE_BYTES) {
            return;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if (version == 4) {
            buffer.putShort(RoceLayout.IPV4_TOTAL_LENGTH, (short) bytes.length);
        } else {
            buffer.putShort(RoceLayout.IPV6_PAYLOAD_LENGTH, (short) behindIp);
        }
        buffer.putShort(ipBytes + RoceLayout.UDP_LENGTH, (short) behindIp);
        int covered = bytes.length - Icrc.SIZE_BYTES;
        buffer.putInt(covered, new Icrc().of(buffer, 0, covered));
    }

    private static PacketRecord record(PacketView view) {
        Packet packet = new Packet();
        view.readInto(packet);
        return PacketRecord.of(packet);
    }

    private static PacketRecord record(RoceView view) {
        Packet packet = new Packet();
        view.readInto(packet);
        return PacketRecord.of(packet);
    }

    private static ByteBuffer surrounded(byte[] bytes, byte stranger) {
        ByteBuffer buffer = ByteBuffer.allocate(BEFORE + bytes.length + BEHIND);
        Arrays.fill(buffer.array(), stranger);
        return buffer.put(BEFORE, bytes);
    }

    private static byte[] datagram(PacketRecord packet, RoceRoute route) {
        Packet filled = packet.toPacket();
        byte[] bytes = new byte[RoceWriter.encodedLengthBytes(filled, route)];
        new RoceWriter().write(filled, route, ByteBuffer.wrap(bytes), 0);
        return bytes;
    }

    @Test
    void seedsAreOneOfEachKind() throws IOException {
        Map<String, byte[]> packets = new TreeMap<>();
        Map<String, byte[]> datagrams = new TreeMap<>();
        for (Opcode opcode : Opcode.values()) {
            PacketRecord packet = sample(opcode);
            packets.put(opcode.name(), packet.emit());
            if (opcode.endsMessage()) {
                datagrams.put(opcode.name(), behindOne(datagram(packet, ROUTE)));
            }
        }
        RoceRoute ipv4 = RoceRoute.ofIpv4(0x0a000001, 0x0a000002);
        datagrams.put("SEND_ONLY-ipv4", behindOne(datagram(sample(Opcode.SEND_ONLY), ipv4)));
        Seeds.assertKept(PacketFuzzTest.class, "packet", packets);
        Seeds.assertKept(PacketFuzzTest.class, "datagram", datagrams);
    }

    private static byte[] behindOne(byte[] datagram) {
        byte[] input = new byte[1 + datagram.length];
        input[0] = 1;
        System.arraycopy(datagram, 0, input, 1, datagram.length);
        return input;
    }

    private static PacketRecord sample(Opcode opcode) {
        Packet packet = Packets.packet(
                        opcode, 0x123456, opcode.carriesPayload() ? new byte[] {1, 2, 3, 4, 5} : new byte[0])
                .destQp(0x11)
                .ackRequest(true);
        if (opcode.has(Header.RETH) || opcode.has(Header.ATOMIC_ETH)) {
            packet.remoteAddress(0x7f00_0000_1000L).remoteKey(0x105);
        }
        if (opcode.has(Header.RETH)) {
            packet.dmaLengthBytes(5);
        }
        if (opcode.has(Header.AETH)) {
            packet.syndrome(Syndrome.ACK_NO_CREDIT).messageSequence(7);
        }
        return PacketRecord.of(packet);
    }
}

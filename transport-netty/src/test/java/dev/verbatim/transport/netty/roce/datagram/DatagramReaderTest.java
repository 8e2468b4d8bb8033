// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.PacketSink;
import dev.verbatim.testing.LongTest;
import dev.verbatim.wire.Icrc;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is a packet, and why anything else is dropped. */
class DatagramReaderTest {

    private static final int PORT = 50_000;
    private static final int TRIES = 2_000;

    private final ByteBuffer buffer = ByteBuffer.allocate(IpUdpHeader.MOST_BYTES + DatagramReader.MOST_BYTES);
    private final DatagramWriter writer = new DatagramWriter(true);
    private final DatagramReader lenient = new DatagramReader(true, false);
    private final Packet read = new Packet();
    private final IpUdpHeader ipv4 = header("10.0.0.1", "10.0.0.2");

    private static IpUdpHeader header(String from, String to) {
        try {
            return new IpUdpHeader(InetAddress.getByName(from), InetAddress.getByName(to));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static Packet write(int payloadBytes) {
        Packet packet =
                new Packet().begin(Opcode.RDMA_WRITE_ONLY).destQp(0x11).psn(7).dmaLengthBytes(payloadBytes);
        byte[] payload = new byte[payloadBytes];
        new Random(payloadBytes).nextBytes(payload);
        packet.payload().add(ByteBuffer.wrap(payload), 0, payloadBytes);
        return packet;
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "fe80::1"})
    void packetIsReadAsItWasWritten(String address) {
        IpUdpHeader header = header(address, address);
        for (int payloadBytes : new int[] {0, 1, 5, 1024, 4096}) {
            Packet packet = write(payloadBytes);
            int length = writer.write(packet, header, PORT, buffer);
            assertThat(new DatagramReader(true, true).read(buffer, length, header, PORT, read))
                    .isNull();
            assertThat(PacketRecord.of(read)).isEqualTo(PacketRecord.of(packet));
        }
    }

    /** The sender's socket had another identification, or none of DF, and computed its ICRC with that. */
    @Test
    @LongTest
    void identificationIsRecoveredUnlessTheReaderIsStrict() {
        Random random = new Random(1);
        for (int i = 0; i < TRIES; i++) {
            int length = writer.write(write(random.nextInt(4097)), ipv4, PORT, buffer);
            int identification = 1 + random.nextInt(0xffff);
            int covered = ipv4.sizeBytes() + length - Icrc.SIZE_BYTES;
            ipv4.write(buffer, 0, PORT, length);
            buffer.putShort(4, (short) identification);
            buffer.putShort(6, (short) (random.nextBoolean() ? 0x4000 : 0));
            buffer.putInt(covered, new Icrc().of(buffer, 0, covered));
            assertThat(lenient.read(buffer, length, ipv4, PORT, read)).isNull();
            assertThat(lenient.identification()).isEqualTo(identification);
            assertThat(new DatagramReader(true, true).read(buffer, length, ipv4, PORT, read))
                    .isEqualTo(DropReason.ICRC);
        }
    }

    /** Fifteen bits still check, so one damaged datagram in 32768 passes. */
    @Test
    void damageIsSeenAlthoughTheIdentificationIsUnknown() {
        Random random = new Random(2);
        int passed = 0;
        for (int i = 0; i < TRIES; i++) {
            int length = writer.write(write(1024), ipv4, PORT, buffer);
            int at = ipv4.sizeBytes() + 12 + random.nextInt(length - 12);
            buffer.put(at, (byte) (buffer.get(at) ^ 1 << random.nextInt(8)));
            passed += lenient.read(buffer, length, ipv4, PORT, read) == null ? 1 : 0;
        }
        assertThat(passed).isLessThan(3);
    }

    @Test
    void otherPortOrAddressIsAWrongIcrc() {
        int length = writer.write(write(8), ipv4, PORT, buffer);
        assertThat(lenient.read(buffer, length, ipv4, PORT + 1, read)).isEqualTo(DropReason.ICRC);
        length = writer.write(write(8), ipv4, PORT, buffer);
        assertThat(lenient.read(buffer, length, header("10.0.0.3", "10.0.0.2"), PORT, read))
                .isEqualTo(DropReason.ICRC);
        assertThat(lenient.sentence()).contains("icrc=0x");
    }

    @Test
    void lengthsOpcodesAndFormsAreChecked() {
        assertThat(lenient.read(buffer, 15, ipv4, PORT, read)).isEqualTo(DropReason.TOO_SHORT);
        assertThat(lenient.read(buffer, DatagramReader.MOST_BYTES + 1, ipv4, PORT, read))
                .isEqualTo(DropReason.TOO_LONG);
        assertThat(readWithOpcode(0x81))
                .isEqualTo(DropReason.CONGESTION_NOTIFICATION)
                .hasToString(PacketSink.CONGESTION_NOTIFICATION);
        assertThat(readWithOpcode(0x1f)).isEqualTo(DropReason.MALFORMED);
        assertThat(lenient.sentence()).contains("opcode=0x1f");
    }

    private DropReason readWithOpcode(int opcode) {
        int length = writer.write(write(8), ipv4, PORT, buffer);
        int covered = ipv4.sizeBytes() + length - Icrc.SIZE_BYTES;
        buffer.put(ipv4.sizeBytes(), (byte) opcode);
        ipv4.write(buffer, 0, PORT, length);
        buffer.putInt(covered, new Icrc().of(buffer, 0, covered));
        return lenient.read(buffer, length, ipv4, PORT, read);
    }
}

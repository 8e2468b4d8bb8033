// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.testing.Rule;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PacketPropertiesTest {
    private final PacketView view = new PacketView();

    @Property
    @Rule("HD-01")
    void parsingWhatWasEmittedGivesTheSamePacket(@ForAll(supplier = AnyPacket.class) PacketRecord packet) {
        assertThat(PacketRecord.parse(packet.emit())).isEqualTo(packet);
    }

    @Property
    void emittingWhatWasParsedGivesTheSameBytes(@ForAll(supplier = AnyPacket.class) PacketRecord packet) {
        byte[] bytes = packet.emit();
        assertThat(PacketRecord.parse(bytes).emit()).isEqualTo(bytes);
    }

    @Property
    void offsetOfThePacketInItsBufferDoesNotMatter(
            @ForAll(supplier = AnyPacket.class) PacketRecord packet, @ForAll @IntRange(max = 9) int offset) {
        byte[] bytes = packet.emit();
        ByteBuffer buffer = ByteBuffer.allocate(bytes.length + 20).put(offset, bytes);
        assertThat(PacketRecord.parse(buffer.position(offset).limit(offset + bytes.length)))
                .isEqualTo(packet);
    }

    /** A packet tells its length nowhere, so a loss of whole payload words shows only in what carried it. */
    @Property(tries = 300)
    void everyCutIsRefusedUnlessItTakesWholeWordsOfPayload(@ForAll(supplier = AnyPacket.class) PacketRecord packet) {
        byte[] bytes = packet.emit();
        int headers = packet.opcode().headerLengthBytes();
        int padCount = PacketWriter.padCount(packet.payload().lengthBytes());
        for (int length = 0; length < bytes.length; length++) {
            int kept = length - headers;
            boolean wholeWords = kept >= 0 && kept % 4 == 0 && kept >= padCount;
            String refusal = view.wrap(ByteBuffer.wrap(Arrays.copyOf(bytes, length)), 0, length);
            if (wholeWords) {
                assertThat(refusal).as("cut to %d", length).isNull();
                assertThat(view.payloadLengthBytes()).isEqualTo(kept - padCount);
            } else {
                assertThat(refusal).as("cut to %d", length).isNotEmpty();
            }
        }
    }

    @Property(tries = 300)
    void everyPacketOfWhichBytesHaveNotArrivedIsRefused(@ForAll(supplier = AnyPacket.class) PacketRecord packet) {
        byte[] bytes = packet.emit();
        for (int arrived = 0; arrived < bytes.length; arrived++) {
            assertThat(view.wrap(ByteBuffer.wrap(bytes).limit(arrived), 0, bytes.length))
                    .isNotEmpty();
        }
    }

    @Property
    void everyVersionButTheFirstIsRefused(
            @ForAll(supplier = AnyPacket.class) PacketRecord packet, @ForAll @IntRange(min = 1, max = 15) int version) {
        byte[] bytes = packet.emit();
        bytes[1] |= (byte) version;
        assertThat(view.wrap(ByteBuffer.wrap(bytes), 0, bytes.length)).contains("transportVersion=" + version);
    }

    @Property
    @Rule("HD-01")
    void reservedBitsChangeNothing(@ForAll(supplier = AnyPacket.class) PacketRecord packet, @ForAll long bits) {
        byte[] bytes = packet.emit();
        ReservedBits.set(bytes, packet.opcode(), bits);
        assertThat(PacketRecord.parse(bytes)).isEqualTo(packet);
        ReservedBits.set(bytes, packet.opcode(), 0);
        assertThat(bytes).isEqualTo(packet.emit());
    }

    @Property
    void everyReservedOpcodeIsRefused(
            @ForAll(supplier = AnyPacket.class) PacketRecord packet, @ForAll @IntRange(max = 0xff) int code) {
        byte[] bytes = packet.emit();
        bytes[0] = (byte) code;
        String refusal = view.wrap(ByteBuffer.wrap(bytes), 0, bytes.length);
        if (Opcode.of(code) == null) {
            assertThat(refusal).contains("opcode=0x" + Integer.toHexString(code));
        }
    }

    @Property
    @Rule({"TV-07", "ACK-01"})
    void reservedSyndromesAndOnlyTheyAreRefused(
            @ForAll("acknowledgements") PacketRecord packet, @ForAll @IntRange(max = 0xff) int syndrome) {
        byte[] bytes = packet.emit();
        bytes[12] = (byte) syndrome;
        String refusal = view.wrap(ByteBuffer.wrap(bytes), 0, bytes.length);
        if (Syndrome.isReserved(syndrome)) {
            assertThat(refusal).contains("reserved syndrome=0x" + Integer.toHexString(syndrome));
        } else {
            assertThat(refusal).isNull();
            assertThat(view.syndrome()).isEqualTo(syndrome);
        }
    }

    @Property
    @Rule("NW-02")
    void flushIsAcceptedExactlyIfTypeAndLevelHaveAMeaning(
            @ForAll("flushes") PacketRecord packet, @ForAll("fewBits") int feth) {
        byte[] bytes = packet.emit();
        ByteBuffer.wrap(bytes).putInt(12, feth);
        String refusal = view.wrap(ByteBuffer.wrap(bytes), 0, bytes.length);
        boolean known = (feth & 0b10_1100) == 0;
        if (known) {
            assertThat(refusal).isNull();
        } else {
            assertThat(refusal).contains("reserved");
        }
    }

    @Property
    void bytesBehindAPacketWithoutPayloadAreRefused(
            @ForAll("withoutPayload") PacketRecord packet, @ForAll @IntRange(min = 1, max = 64) int extra) {
        byte[] bytes = packet.emit();
        assertThat(view.wrap(ByteBuffer.allocate(200).put(0, bytes), 0, bytes.length + extra))
                .contains(packet.opcode() + " has " + extra + " bytes behind its headers");
    }

    @Property
    void packetWithAnyOneByteChangedIsRefusedOrStillMeansItsBytes(
            @ForAll(supplier = AnyPacket.class) PacketRecord packet, @ForAll int at, @ForAll byte changed) {
        byte[] bytes = packet.emit();
        bytes[Math.floorMod(at, bytes.length)] = changed;
        isRefusedOrStillMeansItsBytes(bytes);
    }

    @Property
    void arbitraryBytesAreRefusedOrMeanWhatTheySay(@ForAll @Size(max = 80) byte[] bytes) {
        isRefusedOrStillMeansItsBytes(bytes);
    }

    @Property
    void arbitraryBytesThatBeginLikeAPacketAreRefusedOrMeanWhatTheySay(
            @ForAll @ByteRange(max = 0x1d) byte code, @ForAll @Size(min = 12, max = 80) byte[] bytes) {
        bytes[0] = code;
        bytes[1] &= (byte) 0xf0;
        bytes[4] &= (byte) 0xc0;
        bytes[8] &= (byte) 0x80;
        isRefusedOrStillMeansItsBytes(Arrays.copyOf(bytes, bytes.length & ~3));
    }

    @Provide
    Arbitrary<PacketRecord> acknowledgements() {
        return Arbitraries.of(Opcode.class)
                .filter(opcode -> opcode.has(Header.AETH))
                .flatMap(AnyPacket::of);
    }

    @Provide
    Arbitrary<PacketRecord> flushes() {
        return AnyPacket.of(Opcode.FLUSH);
    }

    @Provide
    Arbitrary<PacketRecord> withoutPayload() {
        return Arbitraries.of(Opcode.class)
                .filter(opcode -> !opcode.carriesPayload())
                .flatMap(AnyPacket::of);
    }

    @Provide
    Arbitrary<Integer> fewBits() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(0, 0xff),
                Arbitraries.integers().between(0, 31).map(bit -> 1 << bit));
    }

    private void isRefusedOrStillMeansItsBytes(byte[] bytes) {
        String refusal = view.wrap(ByteBuffer.wrap(bytes), 0, bytes.length);
        if (refusal != null) {
            assertThat(refusal).isNotBlank();
            assertThatThrownBy(() -> PacketRecord.parse(bytes))
                    .isInstanceOf(WireFormatException.class)
                    .hasMessage(refusal);
            return;
        }
        Arrays.fill(bytes, bytes.length - view.padCount(), bytes.length, (byte) 0);
        PacketRecord read = PacketRecord.parse(bytes);
        ReservedBits.set(bytes, read.opcode(), 0);
        assertThat(read.emit()).isEqualTo(bytes);
    }
}

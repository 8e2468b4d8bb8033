// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RocePropertiesTest {
    private final RoceWriter writer = new RoceWriter();
    private final RoceView view = new RoceView();

    @Property
    void everyPacketComesOutOfItsDatagramAsItWentIn(
            @ForAll(supplier = AnyPacket.class) PacketRecord usual,
            @ForAll @IntRange(max = 0xff) int trafficClass,
            @ForAll @IntRange(max = 0xf_ffff) int flowLabel,
            @ForAll @IntRange(max = 0xff) int hopLimit,
            @ForAll long sourceHigh,
            @ForAll long sourceLow,
            @ForAll long destinationHigh,
            @ForAll long destinationLow) {
        PacketRecord packet = new PacketRecord(
                usual.bth(), usual.extensions(), usual.payload(), new GrhFields(trafficClass, flowLabel, hopLimit));
        RoceRoute route = new RoceRoute(sourceHigh, sourceLow, destinationHigh, destinationLow);
        ByteBuffer bytes = datagram(packet, route);
        assertThat(view.wrap(bytes, 0, bytes.limit())).isNull();
        Packet read = new Packet();
        view.readInto(read);
        assertThat(PacketRecord.of(read)).isEqualTo(packet);
        assertThat(view.route()).isEqualTo(route);
    }

    @Property
    void everyPacketComesOutOfItsDatagramOverIpv4AsItWentIn(
            @ForAll(supplier = AnyPacket.class) PacketRecord usual,
            @ForAll @IntRange(max = 0xff) int typeOfService,
            @ForAll @IntRange(max = 0xff) int timeToLive,
            @ForAll int source,
            @ForAll int destination) {
        PacketRecord packet = new PacketRecord(
                usual.bth(), usual.extensions(), usual.payload(), new GrhFields(typeOfService, 0, timeToLive));
        RoceRoute route = RoceRoute.ofIpv4(source, destination);
        ByteBuffer bytes = datagram(packet, route);
        assertThat(view.wrap(bytes, 0, bytes.limit())).isNull();
        Packet read = new Packet();
        view.readInto(read);
        assertThat(PacketRecord.of(read)).isEqualTo(packet);
        assertThat(view.route()).isEqualTo(route);
        assertThat(sum(bytes, 0, 20)).isEqualTo(0xffff);
        assertThat((sum(bytes, 12, bytes.limit()) + 17 + bytes.limit() - 20) % 0xffff)
                .as("checksum of UDP, modulo all ones")
                .isZero();
    }

    private static int sum(ByteBuffer bytes, int from, int to) {
        int sum = 0;
        for (int at = from; at < to; at += 2) {
            sum += bytes.getShort(at) & 0xffff;
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return sum;
    }

    @Property(tries = 100)
    @Rule("IC-01")
    void everyFlippedBitOverIpv4IsRefusedUnlessARouterMayFlipIt(
            @ForAll(supplier = AnyPacket.class) PacketRecord packet) {
        ByteBuffer bytes = datagram(packet, RoceRoute.ofIpv4(0x0a000001, 0x0a000002));
        for (int bit = 0; bit < bytes.limit() * 8; bit++) {
            boolean mutable = bit / 8 == RoceLayout.IPV4_TYPE_OF_SERVICE
                    || bit / 8 == RoceLayout.IPV4_TIME_TO_LIVE
                    || bit / 16 == RoceLayout.IPV4_CHECKSUM / 2
                    || bit / 16 == (20 + RoceLayout.UDP_CHECKSUM) / 2
                    || bit / 8 == 28 + RoceLayout.BTH_CONGESTION;
            byte intact = bytes.get(bit / 8);
            bytes.put(bit / 8, (byte) (intact ^ 0x80 >> bit % 8));
            assertThat(view.wrap(bytes, 0, bytes.limit()) == null)
                    .as("bit %d is not noticed", bit)
                    .isEqualTo(mutable);
            bytes.put(bit / 8, intact);
        }
    }

    /** The BTH's masked byte has FECN and BECN, which are for routers to set, and reserved bits, which nobody looks at. */
    @Property(tries = 100)
    @Rule("IC-01")
    void everyFlippedBitIsRefusedUnlessARouterMayFlipIt(@ForAll(supplier = AnyPacket.class) PacketRecord packet) {
        ByteBuffer bytes = datagram(packet, new RoceRoute(1, 2, 3, 4));
        for (int bit = 0; bit < bytes.limit() * 8; bit++) {
            boolean mutable = bit >= 4 && bit < 32
                    || bit / 8 == RoceLayout.IPV6_HOP_LIMIT
                    || bit / 16 == (40 + RoceLayout.UDP_CHECKSUM) / 2
                    || bit / 8 == 48 + RoceLayout.BTH_CONGESTION;
            byte intact = bytes.get(bit / 8);
            bytes.put(bit / 8, (byte) (intact ^ 0x80 >> bit % 8));
            assertThat(view.wrap(bytes, 0, bytes.limit()) == null)
                    .as("bit %d is not noticed", bit)
                    .isEqualTo(mutable);
            bytes.put(bit / 8, intact);
        }
    }

    /** As a receiver sums: over the pseudo header and the datagram with its checksum, the result is all ones. */
    @Property
    void udpChecksumIsTheTrueOne(@ForAll(supplier = AnyPacket.class) PacketRecord packet, @ForAll long address) {
        ByteBuffer bytes = datagram(packet, new RoceRoute(address, 2, 3, -1));
        int sum = 17 + bytes.limit() - 40;
        for (int at = 8; at < bytes.limit(); at += 2) {
            sum += bytes.getShort(at) & 0xffff;
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        assertThat(sum).isEqualTo(0xffff);
    }

    private ByteBuffer datagram(PacketRecord packet, RoceRoute route) {
        ByteBuffer bytes = ByteBuffer.allocate(RoceWriter.encodedLengthBytes(packet.toPacket(), route));
        writer.write(packet.toPacket(), route, bytes, 0);
        return bytes;
    }
}

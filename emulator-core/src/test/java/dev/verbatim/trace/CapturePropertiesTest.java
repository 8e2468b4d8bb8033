// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.AnyPacket;
import dev.verbatim.wire.GrhFields;
import dev.verbatim.wire.PacketRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class CapturePropertiesTest {

    @Property(tries = 300)
    void everythingWrittenIsReadBackAsItWas(@ForAll("packetEvents") List<TraceEvent> events) throws IOException {
        List<TraceEvent> read = new ArrayList<>();
        assertThat(readUpTo(capture(events), read)).isNull();
        assertThat(read).isEqualTo(events);
    }

    @Property(tries = 300)
    void sameEventsGiveTheSameBytes(@ForAll("packetEvents") List<TraceEvent> events) {
        assertThat(capture(events)).isEqualTo(capture(events));
    }

    /** A program that is killed leaves such a file. */
    @Property(tries = 50)
    void everyCutIsRefusedOrFallsBetweenBlocksAndWhatComesBeforeItIsRead(
            @ForAll("packetEvents") List<TraceEvent> events) throws IOException {
        byte[] whole = capture(events);
        for (int length = 0; length < whole.length; length++) {
            List<TraceEvent> read = new ArrayList<>();
            CaptureException refusal = readUpTo(Arrays.copyOf(whole, length), read);
            assertThat(read).isEqualTo(events.subList(0, read.size()));
            if (refusal != null) {
                assertThat(refusal).hasMessageContaining("the file ends after");
            }
        }
    }

    @Property
    void anyChangedByteIsRefusedOrChangesNoPacket(
            @ForAll("packetEvents") List<TraceEvent> events, @ForAll int at, @ForAll byte changed) throws IOException {
        byte[] bytes = capture(events);
        bytes[Math.floorMod(at, bytes.length)] = changed;
        List<TraceEvent> read = new ArrayList<>();
        CaptureException refusal = readUpTo(bytes, read);
        if (refusal != null) {
            assertThat(refusal.getMessage()).matches("block \\d+ at byte \\d+ of the capture: .+");
        } else {
            assertThat(read.stream().map(CapturePropertiesTest::contentOf).toList())
                    .isSubsetOf(events.stream()
                            .map(CapturePropertiesTest::contentOf)
                            .toList());
        }
    }

    @Property
    void arbitraryBytesAreRefused(@ForAll byte[] bytes) {
        assertThatThrownBy(() -> new CaptureReader(new ByteArrayInputStream(bytes)).next())
                .isInstanceOf(CaptureException.class);
    }

    @Provide
    Arbitrary<List<TraceEvent>> packetEvents() {
        Arbitrary<String> devices = Arbitraries.of("left", "right", "ein Gerät", "\u65e5", "");
        Arbitrary<Gid> gids = Combinators.combine(Arbitraries.longs(), Arbitraries.of(1L, 2L, -1L))
                .as(Gid::new);
        Arbitrary<TraceEvent> events = Combinators.combine(
                        Arbitraries.of(true, false),
                        Arbitraries.longs(),
                        devices,
                        Arbitraries.integers().between(0, 0xffffff),
                        gids,
                        gids,
                        anywhere())
                .as(CapturePropertiesTest::event);
        return events.list().ofMaxSize(6).withoutEdgeCases();
    }

    /** Packets of which the header before them says anything. */
    private static Arbitrary<PacketRecord> anywhere() {
        Arbitrary<GrhFields> ways = Combinators.combine(
                        Arbitraries.integers().between(0, 0xff),
                        Arbitraries.integers().between(0, 0xf_ffff),
                        Arbitraries.integers().between(0, 0xff))
                .as(GrhFields::new);
        return Combinators.combine(new AnyPacket().get(), ways)
                .as((packet, way) -> new PacketRecord(packet.bth(), packet.extensions(), packet.payload(), way));
    }

    private static TraceEvent event(
            boolean sent, long timeNanos, String device, int qp, Gid source, Gid destination, PacketRecord packet) {
        return sent
                ? new TraceEvent.PacketSent(timeNanos, device, qp, source, destination, packet)
                : new TraceEvent.PacketReceived(timeNanos, device, qp, source, destination, packet);
    }

    /** Without what only the file says of it, and without the bits that routers may set. */
    private static List<Object> contentOf(TraceEvent event) {
        PacketRecord packet = event instanceof TraceEvent.PacketSent sent
                ? sent.packet()
                : ((TraceEvent.PacketReceived) event).packet();
        return List.of(packet.opcode(), packet.psn(), packet.extensions(), packet.payload());
    }

    private static byte[] capture(List<TraceEvent> events) {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PcapngTap tap = PcapngTap.ofBothDirections(written);
        events.forEach(tap::on);
        return written.toByteArray();
    }

    /** Returns why it was not read to its end; null if it was. */
    private static CaptureException readUpTo(byte[] bytes, List<TraceEvent> read) throws IOException {
        try (CaptureReader reader = new CaptureReader(new ByteArrayInputStream(bytes))) {
            for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
                read.add(event);
            }
            return null;
        } catch (CaptureException e) {
            return e;
        }
    }
}

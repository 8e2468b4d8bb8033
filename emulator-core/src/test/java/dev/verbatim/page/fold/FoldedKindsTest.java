// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.trace.JsonLinesTap;
import dev.verbatim.trace.SampleEvents;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which events are folded, and how their packets are named: as events and as lines. */
class FoldedKindsTest {

    private static final int TIMES = 16;

    private static List<String> lines(TraceEvent event) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        try (JsonLinesTap tap = new JsonLinesTap(lines)) {
            Collections.nCopies(TIMES, event).forEach(tap::on);
        }
        return lines.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static List<String> foldedKinds(Class<?> folding) {
        List<String> kinds = new ArrayList<>();
        for (TraceEvent event : SampleEvents.ALL) {
            int kept = folding.equals(FoldedLines.class)
                    ? FoldedLines.of(lines(event), Repeated::words).size()
                    : keptEvents(event);
            assertThat(kept).as(event.toString()).isIn(2, TIMES);
            if (kept == 2) {
                kinds.add(event.getClass().getSimpleName());
            }
        }
        return kinds;
    }

    private static int keptEvents(TraceEvent event) {
        FoldedEvents folded = new FoldedEvents(1000);
        Collections.nCopies(TIMES, event).forEach(folded::add);
        List<String> kept = new ArrayList<>();
        folded.read(new FoldedEvents.Reader() {
            @Override
            public void event(TraceEvent one) {
                kept.add(one.toString());
            }

            @Override
            public void choice(ChoicePoint point, String line, String what) {
                throw new AssertionError("there is no choice");
            }

            @Override
            public void again(Repeated repeated) {
                kept.add(repeated.words());
            }
        });
        return kept.size();
    }

    @Test
    void eventsThatChangeNoStateAreFoldedAndNoOthers() {
        assertThat(foldedKinds(FoldedEvents.class))
                .isEqualTo(foldedKinds(FoldedLines.class))
                .containsExactly(
                        "PacketSent",
                        "PacketReceived",
                        "PacketDropped",
                        "LinkFaulted",
                        "CarrierReported",
                        "MemoryTouched",
                        "MemoryShown",
                        "ProgramTouched",
                        "Decided");
    }

    private static TraceEvent sent(Packet packet) {
        return new TraceEvent.PacketSent(1, "left", 17, Gid.ofGuid(1), Gid.ofGuid(2), PacketRecord.of(packet));
    }

    @Test
    void packetsOfALineAreNamedAsThoseOfAnEvent() {
        List<TraceEvent> packets = List.of(
                sent(new Packet().begin(Opcode.RDMA_READ_RESPONSE_ONLY).syndrome(Syndrome.ACK_NO_CREDIT)),
                sent(new Packet().begin(Opcode.ATOMIC_ACKNOWLEDGE).syndrome(Syndrome.ACK_NO_CREDIT)),
                sent(new Packet().begin(Opcode.ACKNOWLEDGE).syndrome(Syndrome.ACK_NO_CREDIT)),
                sent(new Packet().begin(Opcode.XRC_ACKNOWLEDGE).syndrome(Syndrome.ACK_NO_CREDIT)),
                sent(new Packet().begin(Opcode.ACKNOWLEDGE).syndrome(Syndrome.rnr(12))),
                sent(new Packet().begin(Opcode.SEND_ONLY)));

        assertThat(packets)
                .allSatisfy(event -> assertThat(FoldedLines.of(lines(event), Repeated::words))
                        .last()
                        .asString()
                        .endsWith(": 16 x " + ((TraceEvent.PacketSent) event).packetName()));
    }
}

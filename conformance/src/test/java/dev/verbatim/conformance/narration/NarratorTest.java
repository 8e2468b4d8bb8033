// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("smoke")
class NarratorTest {

    private static final Refusal REFUSAL = Refusal.of(Rule.MR_22, "needs %d bytes", 8);
    private static final Gid LEFT = Gid.ofGuid(1);
    private static final Gid RIGHT = Gid.ofGuid(2);
    private static final PacketRecord PACKET =
            PacketRecord.of(new Packet().begin(Opcode.SEND_ONLY).destQp(0x11).psn(5));

    /** One of each kind, with all of its words. */
    static Stream<TraceEvent> events() {
        return Stream.of(
                new TraceEvent.SendPosted(1, "left", 17, SendWorkRequest.send(1), true),
                new TraceEvent.ReceivePosted(1, "left", 17, ReceiveWorkRequest.of(1)),
                new TraceEvent.SharedReceivePosted(1, "left", 3, ReceiveWorkRequest.of(1)),
                new TraceEvent.SharedReceiveTaken(1, "left", 17, 3, 1),
                new TraceEvent.SharedReceiveLimited(1, "left", 3, 5),
                new TraceEvent.Connected(1, "left", 17, LEFT, RIGHT, 18),
                new TraceEvent.Started(1, "left", 17, 1, 5, 1),
                new TraceEvent.LinkFaulted(5, "left", LEFT, RIGHT, "loses", PACKET),
                new TraceEvent.CarrierReported(5, "left", RIGHT, "ICRC", "the datagram was damaged"),
                new TraceEvent.MemoryShown(5, "right", 17, 5, 0x7f00_0000_0ff8L, ByteBuffer.allocate(8)),
                new TraceEvent.ProgramTouched(5, "right", true, 0x7f00_0000_0ff8L, ByteBuffer.allocate(8)),
                new TraceEvent.ViewChanged(5, "right", "gpu0", false, 0x7f00_0000_0ff8L, 8, "right/gpu0"),
                new TraceEvent.OlderSeen(5, "right", "right/gpu0", 0x7f00_0000_0ff8L, 0, 1),
                new TraceEvent.PacketSent(2, "left", 17, LEFT, RIGHT, PACKET),
                new TraceEvent.PacketReceived(3, "right", 17, LEFT, RIGHT, PACKET),
                new TraceEvent.PacketDropped(4, "right", 17, PACKET, REFUSAL),
                new TraceEvent.MemoryTouched(
                        5,
                        "right",
                        17,
                        MemoryEffect.ATOMIC,
                        0x102,
                        5,
                        0x7f00_0000_0ff8L,
                        ByteBuffer.allocate(8),
                        0,
                        false),
                new TraceEvent.Completed(6, "left", 17, 2, 1, WcStatus.SUCCESS, WcOpcode.RDMA_READ, 1500, null),
                new TraceEvent.Completed(6, "left", 17, 2, 1, WcStatus.LOC_PROT_ERR, WcOpcode.SEND, 0, REFUSAL),
                new TraceEvent.Polled(6, "left", 17, 2, 1, 0),
                new TraceEvent.StateChanged(7, "left", 17, QpState.RTS, QpState.ERR, REFUSAL),
                new TraceEvent.EventRaised(8, "right", 17, 0, EventType.COMM_EST, null),
                new TraceEvent.KeyChanged(9, "right", 0x102, false, 0, 0, 0, true, "region of a test"),
                window(TraceEvent.WindowChange.BOUND),
                new TraceEvent.Decided(Long.MAX_VALUE, "right", 0, "ORD-30"));
    }

    private static TraceEvent window(TraceEvent.WindowChange change) {
        int access = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE;
        return new TraceEvent.WindowChanged(
                9,
                "right",
                17,
                change,
                3,
                MemoryWindowType.TYPE_2,
                1,
                0x8000_0141,
                0x10,
                0x7f00_0000_0010L,
                64,
                access);
    }

    @Test
    void thereIsOneOfEachKindAbove() {
        assertThat(events().<Object>map(Object::getClass).distinct())
                .containsExactlyInAnyOrder(Stream.of(TraceEvent.class.getPermittedSubclasses())
                        .flatMap(kind -> kind.isSealed() ? Stream.of(kind.getPermittedSubclasses()) : Stream.of(kind))
                        .toArray());
    }

    @ParameterizedTest
    @MethodSource("events")
    void eventSurvivesTheWayThroughJson(TraceEvent event) throws IOException {
        NarratedEvent told = Narrator.tell(3, event);
        assertThat(told.side()).isEqualTo(event.device());
        assertThat(told.timeNanos()).isEqualTo(event.timeNanos());
        Map<String, Object> json = JSON.std.mapFrom(JSON.std.asString(told.toJson()));
        assertThat(NarratedEvent.isOne(json)).isTrue();
        NarratedEvent read = NarratedEvent.ofJson(json);
        assertThat(read).usingRecursiveComparison().ignoringFields("details").isEqualTo(told);
        assertThat(read.details().toString()).isEqualTo(told.details().toString());
    }

    @Test
    void completionIsToldWithItsStatusAndItsReason() {
        NarratedEvent failed = Narrator.tell(
                1, new TraceEvent.Completed(0, "left", 17, 2, 9, WcStatus.LOC_PROT_ERR, WcOpcode.SEND, 0, REFUSAL));
        assertThat(failed.text()).isEqualTo("SEND wr_id=9 LOC_PROT_ERR");
        assertThat(failed.rule()).isEqualTo("MR-22");
        assertThat(failed.explanation()).isEqualTo("needs 8 bytes");
    }

    @Test
    void changeOfAWindowIsToldWithItsKey() {
        assertThat(Stream.of(TraceEvent.WindowChange.values())
                        .map(change -> Narrator.tell(1, window(change)).text()))
                .containsExactly(
                        "3 is there, of type 2, with key 0x80000141",
                        "3 bound: key 0x80000141 leads to 64 B at 0x7f0000000010 for REMOTE_WRITE|REMOTE_READ",
                        "3 unbound: key 0x80000141 leads nowhere",
                        "3 invalidated: key 0x80000141 is revoked",
                        "3 invalidated by the peer: key 0x80000141 is revoked",
                        "3 is gone, and with it key 0x80000141");
    }

    @Test
    void requestWithoutAPacketStartsWithoutAPsn() {
        assertThat(Narrator.tell(1, new TraceEvent.Started(1, "left", 17, 9, 5, 0))
                        .text())
                .isEqualTo("wr_id=9, without a packet");
    }

    @Test
    void reportOfSomethingElseIsNoHappening() {
        Map<String, Object> json = Map.of("kind", "result");
        assertThat(NarratedEvent.isOne(json)).isFalse();
        assertThatThrownBy(() -> NarratedEvent.ofJson(json)).hasMessageContaining("kind=result");
    }

    @ParameterizedTest
    @EnumSource
    void packetOfAnyOpcodeHasALabelWithItsSizeIfItHasOne(Opcode opcode) {
        Packet packet = new Packet()
                .begin(opcode)
                .psn(0xff_ffff)
                .remoteAddress(0x7f00_0000_0000L)
                .remoteKey(0xffff_ffff)
                .dmaLengthBytes(1 << 30)
                .syndrome(Syndrome.NAK_REMOTE_OPERATIONAL)
                .flushType(1);
        if (opcode.carriesPayload()) {
            packet.payload().add(ByteBuffer.allocate(4096), 0, 4096);
        }
        String label = PacketLabel.of(PacketRecord.of(packet));
        assertThat(label).startsWith(opcode + " psn=16777215");
        assertThat(label.contains("4096 B")).isEqualTo(opcode.carriesPayload());
    }

    @Test
    void operandsOfAtomicsAreOnTheArrow() {
        Packet swap = new Packet()
                .begin(Opcode.COMPARE_SWAP)
                .remoteAddress(0x1000)
                .remoteKey(0x102)
                .compare(-1)
                .swapOrAdd(7);
        assertThat(PacketLabel.of(PacketRecord.of(swap)))
                .isEqualTo("COMPARE_SWAP psn=0 va=0x1000 rkey=0x00000102 compare=-1 swap=7");
        Packet add = new Packet()
                .begin(Opcode.FETCH_ADD)
                .remoteAddress(0x1000)
                .remoteKey(0x102)
                .swapOrAdd(-3);
        assertThat(PacketLabel.of(PacketRecord.of(add))).isEqualTo("FETCH_ADD psn=0 va=0x1000 rkey=0x00000102 add=-3");
    }
}

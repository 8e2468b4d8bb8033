// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

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
import java.nio.ByteBuffer;
import java.util.List;

/** One event of each kind, of two devices. */
public final class SampleEvents {

    static final Gid LEFT = Gid.ofGuid(1);
    static final Gid RIGHT = Gid.ofGuid(2);

    private static final Refusal REFUSAL = Refusal.of(Rule.MR_22, "key 0x%x is \"unknown\"", 0xbeef);
    private static final Refusal CONSEQUENCE =
            Refusal.of(Rule.QP_22, "qp 17 is in ERR").causedBy(REFUSAL);

    static final TraceEvent.SendPosted POSTED =
            new TraceEvent.SendPosted(1_000, "left", 17, SendWorkRequest.send(7), true);
    static final TraceEvent.ReceivePosted RECEIVE_POSTED =
            new TraceEvent.ReceivePosted(1_001, "right", 18, ReceiveWorkRequest.of(8));
    static final TraceEvent.SharedReceivePosted SHARED_RECEIVE_POSTED =
            new TraceEvent.SharedReceivePosted(1_001, "right", 3, ReceiveWorkRequest.of(9));
    static final TraceEvent.SharedReceiveTaken SHARED_RECEIVE_TAKEN =
            new TraceEvent.SharedReceiveTaken(1_001, "right", 18, 3, 9);
    static final TraceEvent.SharedReceiveLimited SHARED_RECEIVE_LIMITED =
            new TraceEvent.SharedReceiveLimited(1_001, "right", 3, 5);
    static final TraceEvent.Connected CONNECTED = new TraceEvent.Connected(1_002, "left", 17, LEFT, RIGHT, 18);
    static final TraceEvent.Started STARTED = new TraceEvent.Started(1_003, "left", 17, 7, 100, 1);
    static final TraceEvent.PacketSent SENT = new TraceEvent.PacketSent(2_500, "left", 17, LEFT, RIGHT, write(5));
    static final TraceEvent.PacketReceived RECEIVED =
            new TraceEvent.PacketReceived(2_501, "right", 18, LEFT, RIGHT, write(5));
    static final TraceEvent.PacketDropped DROPPED =
            new TraceEvent.PacketDropped(2_502, "right", 18, acknowledgement(), REFUSAL);
    static final TraceEvent.LinkFaulted FAULTED =
            new TraceEvent.LinkFaulted(2_503, "left", LEFT, RIGHT, "loses", write(5));
    static final TraceEvent.CarrierReported REPORTED =
            new TraceEvent.CarrierReported(2_504, "left", RIGHT, "ICRC", "the datagram was damaged");
    static final TraceEvent.MemoryTouched TOUCHED = new TraceEvent.MemoryTouched(
            3_000,
            "right",
            18,
            TraceEvent.MemoryEffect.PLACED,
            0x305,
            100,
            0x7f00_0000_1000L,
            ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4}),
            8,
            true);
    static final TraceEvent.MemoryShown SHOWN = new TraceEvent.MemoryShown(
            3_001, "right", 18, 100, 0x7f00_0000_1000L, ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4}));
    static final TraceEvent.ProgramTouched LOADED =
            new TraceEvent.ProgramTouched(3_002, "right", false, 0x7f00_0000_1000L, ByteBuffer.wrap(new byte[] {0, 1}));
    static final TraceEvent.ViewChanged VIEW =
            new TraceEvent.ViewChanged(3_003, "right", "gpu0", false, 0x7f00_0000_1000L, 8, "right/gpu0");
    static final TraceEvent.OlderSeen OLDER =
            new TraceEvent.OlderSeen(3_004, "right", "right/gpu0", 0x7f00_0000_1000L, 0, 1);
    static final TraceEvent.Completed COMPLETED = new TraceEvent.Completed(
            4_000, "left", 17, 2, Long.MIN_VALUE, WcStatus.WR_FLUSH_ERR, WcOpcode.SEND, -1, CONSEQUENCE);
    static final TraceEvent.Polled POLLED = new TraceEvent.Polled(4_001, "left", 17, 2, 7, 3);
    static final TraceEvent.StateChanged CHANGED =
            new TraceEvent.StateChanged(5_000, "left", 17, QpState.RTS, QpState.ERR, REFUSAL);
    static final TraceEvent.EventRaised RAISED =
            new TraceEvent.EventRaised(6_000, "right", 18, 0, EventType.COMM_EST, null);
    static final TraceEvent.KeyChanged KEY =
            new TraceEvent.KeyChanged(7_000, "right", 0x305, false, 0x1000, 0x7f00_0000_1000L, 5, false, "a region");
    static final TraceEvent.WindowChanged WINDOW = new TraceEvent.WindowChanged(
            7_001,
            "right",
            18,
            TraceEvent.WindowChange.INVALIDATED_BY_PEER,
            3,
            MemoryWindowType.TYPE_2,
            2,
            0x8000_0141,
            0x10,
            0x7f00_0000_1010L,
            64,
            AccessFlags.REMOTE_WRITE);
    static final TraceEvent.Decided DECIDED = new TraceEvent.Decided(8_000, "left", 17, "QS-04");

    /** All of them. */
    public static final List<TraceEvent> ALL = List.of(
            POSTED,
            RECEIVE_POSTED,
            SHARED_RECEIVE_POSTED,
            SHARED_RECEIVE_TAKEN,
            SHARED_RECEIVE_LIMITED,
            CONNECTED,
            STARTED,
            SENT,
            RECEIVED,
            DROPPED,
            FAULTED,
            REPORTED,
            TOUCHED,
            SHOWN,
            LOADED,
            VIEW,
            OLDER,
            COMPLETED,
            POLLED,
            CHANGED,
            RAISED,
            KEY,
            WINDOW,
            DECIDED);

    private SampleEvents() {}

    /** A WRITE of the bytes 0, 1, 2 ... */
    static PacketRecord write(int lengthBytes) {
        ByteBuffer payload = ByteBuffer.allocate(lengthBytes);
        for (int i = 0; i < lengthBytes; i++) {
            payload.put(i, (byte) i);
        }
        Packet packet = new Packet()
                .begin(Opcode.RDMA_WRITE_ONLY)
                .psn(100)
                .destQp(18)
                .ackRequest(true)
                .remoteAddress(0x7f00_0000_1000L)
                .remoteKey(0x12305)
                .dmaLengthBytes(lengthBytes);
        packet.payload().add(payload, 0, lengthBytes);
        return PacketRecord.of(packet);
    }

    private static PacketRecord acknowledgement() {
        return PacketRecord.of(new Packet()
                .begin(Opcode.ACKNOWLEDGE)
                .psn(100)
                .destQp(17)
                .syndrome(Syndrome.NAK_REMOTE_ACCESS)
                .messageSequence(3));
    }
}

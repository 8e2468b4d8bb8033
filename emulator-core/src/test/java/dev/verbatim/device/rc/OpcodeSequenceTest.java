// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static dev.verbatim.testing.Dialogue.MTU;
import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Packets.nak;
import static dev.verbatim.testing.Packets.packet;
import static dev.verbatim.testing.Packets.pattern;

import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which packet may follow which: every request opcode after every unfinished message (H3-3). */
class OpcodeSequenceTest {

    private static final int LAST_BYTES = 8;

    /** What was begun before the packet comes. */
    private enum Unfinished {
        NOTHING,
        SEND_BEGUN(Opcode.SEND_FIRST),
        SEND_GOING_ON(Opcode.SEND_FIRST, Opcode.SEND_MIDDLE),
        WRITE_BEGUN(Opcode.RDMA_WRITE_FIRST),
        WRITE_GOING_ON(Opcode.RDMA_WRITE_FIRST, Opcode.RDMA_WRITE_MIDDLE),
        SEND_DONE(Opcode.SEND_FIRST, Opcode.SEND_LAST),
        WRITE_DONE(Opcode.RDMA_WRITE_FIRST, Opcode.RDMA_WRITE_LAST_WITH_IMM);

        private final List<Opcode> packets;

        Unfinished(Opcode... packets) {
            this.packets = List.of(packets);
        }

        /** The table, written down once more: what the specification has. */
        boolean mayBeFollowedBy(Opcode opcode) {
            return switch (this) {
                case NOTHING, SEND_DONE, WRITE_DONE ->
                    List.of(
                                    Opcode.SEND_FIRST,
                                    Opcode.SEND_ONLY,
                                    Opcode.SEND_ONLY_WITH_IMM,
                                    Opcode.RDMA_WRITE_FIRST,
                                    Opcode.RDMA_WRITE_ONLY,
                                    Opcode.RDMA_WRITE_ONLY_WITH_IMM,
                                    Opcode.RDMA_READ_REQUEST,
                                    Opcode.COMPARE_SWAP,
                                    Opcode.FETCH_ADD)
                            .contains(opcode);
                case SEND_BEGUN, SEND_GOING_ON ->
                    List.of(Opcode.SEND_MIDDLE, Opcode.SEND_LAST, Opcode.SEND_LAST_WITH_IMM)
                            .contains(opcode);
                case WRITE_BEGUN, WRITE_GOING_ON ->
                    List.of(Opcode.RDMA_WRITE_MIDDLE, Opcode.RDMA_WRITE_LAST, Opcode.RDMA_WRITE_LAST_WITH_IMM)
                            .contains(opcode);
            };
        }

        /** Length of a WRITE of which {@code next} is to bring a part as long as its place has it. */
        int announcedBytes(Opcode next) {
            int full = this == WRITE_DONE ? 1 : packets.size();
            boolean goesOn = this != WRITE_DONE && next.position() == Opcode.Position.MIDDLE;
            return (goesOn ? full + 1 : full) * MTU + LAST_BYTES;
        }

        boolean hasTakenAReceive() {
            return this == SEND_BEGUN || this == SEND_GOING_ON;
        }
    }

    static Stream<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        for (Unfinished before : Unfinished.values()) {
            for (Opcode opcode : Opcode.values()) {
                boolean later = opcode.has(Header.IETH)
                        || opcode.kind() == Opcode.Kind.FLUSH
                        || opcode.kind() == Opcode.Kind.ATOMIC_WRITE;
                if (opcode == opcode.base() && opcode.isRequest() && !later) {
                    pairs.add(Arguments.of(before, opcode));
                }
            }
        }
        return pairs.stream();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @Rule({"H3-3", "WC-28", "AE-03"})
    void packetIsTakenIfItGoesOnWithWhatWasBegunAndEndsTheQueuePairIfNot(Unfinished before, Opcode opcode) {
        try (Dialogue it = Dialogue.begin()) {
            for (int i = 0; i < 4; i++) {
                it.postsReceive(i, it.side.sge(0, 16 * MTU));
            }
            int psn = 0;
            int announced = before.announcedBytes(opcode);
            for (Opcode earlier : before.packets) {
                it.sends(request(it, earlier, psn++, announced));
            }
            it.takeAll();
            it.side.recvCq.poll(4);
            it.sends(request(it, opcode, psn, MTU + LAST_BYTES));
            if (before.mayBeFollowedBy(opcode)) {
                assertState(it.side.qp, QpState.RTS);
                return;
            }
            it.expects(nak(psn, Syndrome.NAK_INVALID_REQUEST)).expectsNothing();
            assertState(it.side.qp, QpState.ERR);
            if (before.hasTakenAReceive()) {
                assertThat(it.received()).hasStatus(WcStatus.LOC_QP_OP_ERR).isExplainedBy("WC-28", opcode.name());
                it.raisesNothing();
            } else {
                assertEvent(it.event(), EventType.QP_REQ_ERR, it.side.qp);
                assertThat(it.received()).hasStatus(WcStatus.WR_FLUSH_ERR);
            }
        }
    }

    /** A request in which everything but perhaps its place is right. */
    private static Packet request(Dialogue it, Opcode opcode, int psn, int announcedBytes) {
        boolean last = opcode.position() == Opcode.Position.LAST;
        int payload = opcode.carriesPayload() ? last ? LAST_BYTES : MTU : 0;
        return packet(opcode, psn, pattern(0, payload))
                .remoteAddress(it.side.address(0))
                .remoteKey(it.side.rkey())
                .dmaLengthBytes(opcode.position() == Opcode.Position.ONLY ? MTU : announcedBytes);
    }
}

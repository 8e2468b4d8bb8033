// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.sim.Fate;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent.PacketReceived;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Packets that were sent in time and come when the window is not what it was, in virtual time. */
class LatePacketsOfWindowsTest {

    /** Less than the ACK timeout of 67 ms, and more than all else takes. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static WindowPair open(Function<Packet, Fate> fates) {
        LossyFabric fabric = new LossyFabric(1, LinkFaults.NONE);
        fabric.decideBy((from, to, packet) -> fates.apply(packet));
        return new WindowPair(
                RcPair.over(Verbatim.over(fabric), QpCapabilities.USUAL).connect(RcConnection.USUAL));
    }

    private static int bind(WindowPair pair, MemoryWindow window, int offset) {
        SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, 0x41, pair.bytes(offset, 64, WindowPair.ALL));
        pair.owner.qp.postSend(bind);
        assertThat(pair.owner.sent()).isSuccess();
        return bind.boundKey();
    }

    /** The owner is told that the key is revoked, puts a secret there, and then the READ arrives. */
    @Test
    @Rule({"MW-92", "MW-93", "MW-80", "TR-8"})
    void readThatIsOnItsWayWhenTheKeyIsRevokedBringsNothingOfWhatComesAfter() {
        try (WindowPair pair =
                open(packet -> packet.opcode() == Opcode.RDMA_READ_REQUEST ? Fate.delayed(LATE_NANOS) : Fate.DELIVER)) {
            int key = bind(pair, pair.window(MemoryWindowType.TYPE_2), 0);
            SendWorkRequest read = pair.read(key, pair.address(0), 64);
            pair.peer.qp.postSend(read);
            pair.invalidate(key);
            for (int i = 0; i < 64; i++) {
                pair.store(i, (byte) 0x5e);
            }
            assertThat(pair.peer.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(read.id());
            assertThat(pair.pair.tap.sentBy("right"))
                    .noneMatch(sent -> sent.packet().opcode() == Opcode.RDMA_READ_RESPONSE_ONLY);
            assertEvent(pair.owner.device.pollAsyncEvent(), EventType.QP_ACCESS_ERR, pair.owner.qp);
            assertState(pair.owner.qp, QpState.ERR);
            pair.assertUntouched();
        }
    }

    /** The ghost of a WRITE comes when the window is bound to the same bytes again, with the same key. */
    @Test
    @Rule({"MW-92", "DUP-01", "MW-33"})
    void secondCopyOfAWriteChangesNothingUnderTheNextBinding() {
        try (WindowPair pair =
                open(packet -> packet.opcode() == Opcode.RDMA_WRITE_ONLY ? new Fate(2, LATE_NANOS) : Fate.DELIVER)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = bind(pair, window, 0);
            pair.assertWrites(pair.first, key, 0, 64);
            pair.invalidate(key);
            assertThat(bind(pair, window, 0)).isEqualTo(key);
            for (int i = 0; i < 64; i++) {
                pair.store(i, (byte) 0x5e);
            }
            // Time passes, and the copy arrives meanwhile.
            pair.assertReads(pair.first, key, 0, 64);
            pair.assertWrites(pair.first, key, 8, 8);
            assertThat(pair.pair.tap.events(PacketReceived.class).stream()
                            .filter(received -> received.packet().opcode() == Opcode.RDMA_WRITE_ONLY))
                    .hasSizeGreaterThanOrEqualTo(2);
        }
    }

    /** Its ACK is lost, so the message comes again when the window is bound again with the same key. */
    @Test
    @Rule({"MW-89", "T-03", "DUP-01", "MW-84"})
    void sendWithInvalidateThatIsSentAgainDoesNotRevokeTheNextBinding() {
        boolean[] lost = {false};
        try (WindowPair pair = open(packet -> {
            if (packet.opcode().has(Header.AETH) && !lost[0]) {
                lost[0] = true;
                return Fate.DROP;
            }
            return Fate.DELIVER;
        })) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = bind(pair, window, 0);
            pair.owner.qp.postRecv(ReceiveWorkRequest.of(50));
            pair.peer.qp.postSend(SendWorkRequest.sendWithInvalidate(2, key));
            assertThat(pair.owner.received()).isSuccess().hasFlags(WcFlags.WITH_INV);
            assertThat(bind(pair, window, 64)).isEqualTo(key);

            assertThat(pair.peer.sent()).isSuccess().hasId(2);
            assertThat(lost[0]).isTrue();
            assertThat(pair.pair.tap.sentBy("left"))
                    .filteredOn(sent -> sent.packet().opcode() == Opcode.SEND_ONLY_WITH_INVALIDATE)
                    .hasSize(2);
            pair.assertWrites(pair.first, key, 64, 64);
            assertThat(window.life()).hasSize(2);
            assertThat(window.life().get(1).end()).isNull();
        }
    }
}

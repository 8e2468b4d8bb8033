// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.contract.WindowPair.Connection;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.trace.TraceEvent.Started;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How a window of type 2 is bound, and how its key comes to the peer (B.3, B.5). */
@OnEveryFabric
class TypeTwoBindContractTest {

    private static final int VARIANTS = 256;

    @Parameter
    FabricKind fabric;

    /** The upper bits of the key that is asked for are those of no window. */
    @Test
    @Rule({"MW-30", "MW-31", "KEY-01", "KEY-06", "KEY-P4"})
    void keyIsTheWindowsIndexAndTheVariantThatWasAskedFor() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int allocated = window.rkey();
            for (int variant = 0; variant < VARIANTS; variant++) {
                SendWorkRequest bind = SendWorkRequest.bindWindow(
                        variant, window, 0xdeadbe00 | variant, pair.bytes(8 * variant, 8, WindowPair.WRITE));
                assertThat(bind.boundKey()).isEqualTo(allocated & ~0xff | variant);
                pair.owner.qp.postSend(bind);
                assertThat(pair.owner.sent()).isSuccess().hasId(variant).hasOpcode(WcOpcode.BIND_MW);
                assertThat(window.rkey()).isEqualTo(allocated);
                assertThat(window.currentRkey()).isEqualTo(bind.boundKey());
                pair.assertWrites(pair.first, bind.boundKey(), 8 * variant, 8);
                pair.invalidate(bind.boundKey());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"false, true", "false, false", "true, true", "true, false"})
    @Rule({"MW-32", "MW-45", "WC-33"})
    void boundWindowRefusesSecondBindAndKeepsItsBinding(boolean sameQueuePair, boolean sameKey) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(window, pair.bytes(0, 64, WindowPair.READ));
            Connection binder = sameQueuePair ? pair.first : pair.connect();
            binder.owner()
                    .postSend(List.of(
                            SendWorkRequest.bindWindow(
                                            1,
                                            window,
                                            sameKey ? key : Rkey.increment(key),
                                            pair.bytes(64, 64, WindowPair.ALL))
                                    .unsignaled(),
                            SendWorkRequest.send(2)));
            assertThat(pair.owner.sent())
                    .hasStatus(WcStatus.MW_BIND_ERR)
                    .hasId(1)
                    .isExplainedBy("MW-45", "window " + window.handle(), String.format("0x%08x", key));
            assertThat(pair.owner.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            assertState(binder.owner(), QpState.ERR);
            assertThat(window.currentRkey()).isEqualTo(key);
            assertThat(window.life()).hasSize(1);
            assertThat(window.life().get(0).end()).isNull();
            assertRefused(Errno.EBUSY, "MR-50", pair.region::close);
            if (!sameQueuePair) {
                pair.assertReads(pair.first, key, 0, 64);
            }
        }
    }

    @Test
    @Rule({"MW-33", "MW-120"})
    void keyThatWasInvalidatedCanBeBoundAgain() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            for (int round = 0; round < 3; round++) {
                pair.owner.qp.postSend(
                        SendWorkRequest.bindWindow(1, window, 7, pair.bytes(64 * round, 64, WindowPair.WRITE)));
                assertThat(pair.owner.sent()).isSuccess();
                int key = Rkey.withVariant(window.rkey(), 7);
                pair.assertWrites(pair.first, key, 64 * round, 64);
                if (round < 2) {
                    pair.invalidate(key);
                }
            }
            pair.assertDenied(pair.first, pair.write(Rkey.withVariant(window.rkey(), 7), pair.address(0), 8), "MW-107");
        }
    }

    @Test
    @Rule("MW-33")
    void deviceThatWantsAnotherKeyRefusesTheLast() {
        WindowSwitches switches =
                WindowSwitches.STRICT.toBuilder().sameKeyRebind(false).build();
        try (WindowPair pair = WindowPair.open(fabric, switches)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(window, pair.bytes(0, 64, WindowPair.WRITE));
            pair.invalidate(key);
            key = pair.bind(window, pair.bytes(0, 64, WindowPair.WRITE));
            pair.invalidate(key);
            pair.owner.qp.postSend(SendWorkRequest.bindWindow(1, window, key, pair.bytes(0, 64, WindowPair.WRITE)));
            assertThat(pair.owner.sent())
                    .hasStatus(WcStatus.MW_BIND_ERR)
                    .hasId(1)
                    .isExplainedBy("MW-33");
        }
    }

    @Test
    @Rule({"MW-34", "MW-35", "KEY-P1"})
    void windowsWithTheSameVariantHaveDifferentKeys() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            int[] keys = new int[4];
            for (int i = 0; i < keys.length; i++) {
                SendWorkRequest bind = SendWorkRequest.bindWindow(
                        i, pair.window(MemoryWindowType.TYPE_2), 0x41, pair.bytes(64 * i, 64, WindowPair.WRITE));
                pair.owner.qp.postSend(bind);
                assertThat(pair.owner.sent()).isSuccess();
                keys[i] = bind.boundKey();
                assertThat(keys[i] & 0xff).isEqualTo(0x41);
            }
            assertThat(keys).doesNotHaveDuplicates();
            for (int i = 0; i < keys.length; i++) {
                pair.assertWrites(pair.first, keys[i], 64 * i, 64);
            }
            pair.assertDenied(pair.first, pair.write(keys[0], pair.address(64), 8), "MW-107");
        }
    }

    @Test
    @Rule("MW-60")
    void bindOnAQueuePairInErrIsFlushedAndTheWindowStaysFree() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            Connection second = pair.connect();
            second.owner().modify(new QpAttributes().state(QpState.ERR));
            second.owner()
                    .postSend(SendWorkRequest.bindWindow(5, window, 7, pair.bytes(0, 64, WindowPair.READ))
                            .unsignaled());
            assertThat(pair.owner.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(5);
            assertThat(window.life()).isEmpty();
            pair.assertReads(pair.first, pair.bind(window, pair.bytes(0, 64, WindowPair.READ)), 0, 64);
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @Rule("MW-61")
    void bindInSqdWaitsForTheReturnToRts(MemoryWindowType type) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(type);
            pair.owner.qp.modify(new QpAttributes().state(QpState.SQD));
            int key = post(pair, window, 1);
            assertThat(window.life()).isEmpty();
            assertThat(pair.owner.sendCq.poll(1)).isEmpty();
            pair.owner.qp.modify(new QpAttributes().state(QpState.RTS));
            assertThat(pair.owner.sent()).isSuccess().hasId(1).hasOpcode(WcOpcode.BIND_MW);
            pair.assertReads(pair.first, key, 0, 64);
        }
    }

    private static int post(WindowPair pair, MemoryWindow window, long id) {
        if (window.type() == MemoryWindowType.TYPE_1) {
            pair.owner.qp.bindWindow(window, WindowBind.signaled(id, pair.bytes(0, 64, WindowPair.READ)));
            return window.rkey();
        }
        SendWorkRequest bind = SendWorkRequest.bindWindow(id, window, 7, pair.bytes(0, 64, WindowPair.READ));
        pair.owner.qp.postSend(bind);
        return bind.boundKey();
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @Rule("MW-63")
    void bindAndInvalidationSendNoPacketAndUseNoPsn(MemoryWindowType type) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(type);
            pair.peer.qp.postRecv(ReceiveWorkRequest.of(1));
            int key = post(pair, window, 1);
            if (type == MemoryWindowType.TYPE_2) {
                pair.owner.qp.postSend(SendWorkRequest.localInvalidate(2, key));
                assertThat(pair.owner.sent()).isSuccess();
            }
            assertThat(pair.owner.sent()).isSuccess();
            assertThat(pair.pair.tap.sentBy("right")).isEmpty();

            int psn = pair.owner.qp.query().sqPsn();
            pair.owner.qp.postSend(SendWorkRequest.send(3));
            assertThat(pair.owner.sent()).isSuccess().hasId(3);
            List<Started> started = pair.pair.tap.events(Started.class);
            for (Started each : started.subList(0, started.size() - 1)) {
                assertThat(each.packets()).isZero();
            }
            assertThat(started.get(started.size() - 1).firstPsn()).isEqualTo(psn);
            assertThat(pair.pair.tap.events(PacketSent.class).get(0).packet().psn())
                    .isEqualTo(psn);
            asserted();
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @Rule({"MW-70", "LT-14"})
    void keyThatWasSentBehindItsUnsignaledBindServesAtOnce(MemoryWindowType type) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            for (int round = 0; round < 20; round++) {
                MemoryWindow window = pair.window(type);
                pair.peer.qp.postRecv(ReceiveWorkRequest.of(round, pair.peer.sge(60_000, 4)));
                pair.owner.bytes().putInt(0, handOver(pair, window, 8 * round));
                pair.owner.qp.postSend(SendWorkRequest.send(2, pair.owner.sge(0, 4)));
                assertThat(pair.peer.received()).isSuccess().hasId(round).hasByteLength(4);
                pair.assertWrites(pair.first, pair.peer.bytes().getInt(60_000), 8 * round, 8);
                assertThat(pair.owner.sent()).isSuccess().hasId(2);
            }
        }
    }

    private static int handOver(WindowPair pair, MemoryWindow window, int offset) {
        if (window.type() == MemoryWindowType.TYPE_1) {
            pair.owner.qp.bindWindow(window, new WindowBind(1, 0, pair.bytes(offset, 8, WindowPair.WRITE)));
            return window.rkey();
        }
        SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, 9, pair.bytes(offset, 8, WindowPair.WRITE));
        pair.owner.qp.postSend(bind.unsignaled());
        return bind.boundKey();
    }

    @LongTest
    @Test
    @Rule({"MW-71", "WC-33", "TR-3"})
    void keyOfABindThatFailsIsNeverSent() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            pair.peer.qp.postRecv(ReceiveWorkRequest.of(1, pair.peer.sge(0, 8)));
            SendWorkRequest bind = SendWorkRequest.bindWindow(
                    1, window, 0x41, new BindInfo(pair.owner.region, pair.owner.address(0), 64, WindowPair.READ));
            pair.owner.qp.postSend(List.of(
                    bind.unsignaled(),
                    SendWorkRequest.send(2, pair.owner.sge(0, 4)),
                    SendWorkRequest.localInvalidate(3, bind.boundKey())));
            assertThat(pair.owner.sent())
                    .hasStatus(WcStatus.MW_BIND_ERR)
                    .hasId(1)
                    .isExplainedBy("MW-50", "MW_BIND");
            assertThat(pair.owner.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            assertThat(pair.owner.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(3);
            assertState(pair.owner.qp, QpState.ERR);
            assertThat(window.life()).isEmpty();
            assertThat(pair.pair.tap.sentBy("right")).isEmpty();
            assertState(pair.peer.qp, QpState.RTS);
            assertThat(pair.peer.recvCq.poll(1)).isEmpty();
            assertThat(pair.owner.device.pollAsyncEvent()).isNull();
            // The peer learns of it when it asks for something.
            assertThat(pair.ask(pair.first, pair.write(bind.boundKey(), pair.address(0), 8)))
                    .hasStatus(WcStatus.RETRY_EXC_ERR);
            pair.assertUntouched();
        }
    }
}

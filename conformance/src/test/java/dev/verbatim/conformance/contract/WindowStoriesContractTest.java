// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.contract.WindowPair.Connection;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What windows are for, and what real systems broke on: the reference traces, and stories from beginning to end. */
@OnEveryFabric
class WindowStoriesContractTest {

    private static final int KEY_AT = 60_000;

    @Parameter
    FabricKind fabric;

    @AutoClose
    private WindowPair pair;

    @BeforeEach
    void connect() {
        pair = WindowPair.open(fabric);
    }

    /** Binds a window of type 2 and sends its key, without waiting for either. */
    private int lend(MemoryWindow window, BindInfo info) {
        pair.peer.qp.postRecv(ReceiveWorkRequest.of(1, pair.peer.sge(KEY_AT, 4)));
        SendWorkRequest bind = SendWorkRequest.bindWindow(2, window, 0x41, info);
        pair.owner.bytes().putInt(0, bind.boundKey());
        pair.owner.qp.postSend(List.of(bind.unsignaled(), SendWorkRequest.send(3, pair.owner.sge(0, 4))));
        assertThat(pair.peer.received()).isSuccess().hasByteLength(4);
        assertThat(pair.owner.sent()).isSuccess().hasId(3);
        assertThat(pair.peer.bytes().getInt(KEY_AT)).isEqualTo(bind.boundKey());
        return pair.peer.bytes().getInt(KEY_AT);
    }

    /** The peer gives the key back. */
    private void giveBack(int key) {
        pair.owner.qp.postRecv(ReceiveWorkRequest.of(50));
        pair.peer.qp.postSend(SendWorkRequest.sendWithInvalidate(51, key));
        WorkCompletion back = pair.owner.received();
        assertThat(back).isSuccess().hasId(50).hasOpcode(WcOpcode.RECV).hasFlags(WcFlags.WITH_INV);
        assertThat(back.invalidatedKey()).isEqualTo(key);
        assertThat(pair.peer.sent()).isSuccess().hasId(51);
    }

    @Test
    @Rule({"TR-1", "MW-70", "MW-84", "MW-35"})
    void memoryIsLentAndGivenBack() {
        MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
        int key = lend(window, pair.bytes(0, 64, WindowPair.WRITE));
        pair.owner.qp.postRecv(ReceiveWorkRequest.of(50));
        pair.peer.qp.postSend(
                List.of(pair.write(key, pair.address(0), 64), SendWorkRequest.sendWithInvalidate(2, key)));
        WorkCompletion back = pair.owner.received();
        assertThat(back).isSuccess().hasFlags(WcFlags.WITH_INV);
        assertThat(back.invalidatedKey()).isEqualTo(key);
        for (int i = 0; i < 64; i++) {
            assertThat(pair.region.memory().buffer().get(i))
                    .isEqualTo(pair.peer.bytes().get(i));
        }
        assertThat(pair.peer.sent()).isSuccess().hasOpcode(WcOpcode.RDMA_WRITE);
        assertThat(pair.peer.sent()).isSuccess().hasOpcode(WcOpcode.SEND);
        assertThat(pair.owner.sendCq.poll(1)).isEmpty();
        assertThat(pair.owner.device.pollAsyncEvent()).isNull();
        pair.region.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    @Rule({"TR-2", "MW-93", "MW-109", "MW-84"})
    void keyThatWasGivenBackServesNoMore(int lengthBytes) {
        MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
        int key = lend(window, pair.bytes(0, 64, WindowPair.WRITE));
        giveBack(key);
        pair.owner.qp.postRecv(ReceiveWorkRequest.of(60));
        if (lengthBytes == 0) {
            assertThat(pair.ask(pair.first, pair.write(key, pair.address(0), 0)))
                    .isSuccess();
            assertState(pair.owner.qp, QpState.RTS);
            return;
        }
        pair.assertDenied(pair.first, pair.write(key, pair.address(0), 1), "MW-84", "SEND_WITH_INV");
        assertThat(pair.owner.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(60);
        assertThat(pair.owner.sendCq.poll(1)).isEmpty();
    }

    @Test
    @Rule({"TR-4", "MW-85"})
    void attemptToGiveBackAKeyOfTypeOneEndsInSilence() {
        Connection second = pair.connect(Cause.CONNECTION, pair.owner.newQueuePair());
        int key = pair.bind(pair.window(MemoryWindowType.TYPE_1), pair.bytes(0, 64, WindowPair.READ));
        second.owner().postRecv(ReceiveWorkRequest.of(50));
        second.peer().postSend(SendWorkRequest.sendWithInvalidate(1, key));
        assertThat(pair.owner.received())
                .hasStatus(WcStatus.REM_INV_REQ_ERR)
                .isExplainedBy("MW-85", "TYPE_1", String.format("0x%08x", key));
        assertThat(pair.peer.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).hasId(1);
        pair.assertReads(pair.first, key, 0, 64);
    }

    @Test
    @Rule({"TR-5", "MW-20", "MW-23"})
    void completionOfARebindPartsTheTimesOfTheTwoKeys() {
        MemoryWindow window = pair.window(MemoryWindowType.TYPE_1);
        int old = pair.bind(window, pair.bytes(0, 64, WindowPair.WRITE));
        pair.assertWrites(pair.first, old, 0, 64);
        int key = pair.bind(window, pair.bytes(64, 64, WindowPair.WRITE));
        assertThat(key).isEqualTo(Rkey.increment(old));
        Connection second = pair.connect();
        pair.assertDenied(pair.first, pair.write(old, pair.address(0), 64), "MW-23");
        pair.assertWrites(second, key, 64, 64);
    }

    /** A READ that was asked for in time comes late, when the memory is used for something else already. */
    @Test
    @Rule({"TR-8", "MW-93", "MW-80", "AE-04", "WC-49"})
    void lateReadOfAReusedBufferBringsNothingAndEndsTheOwnersQueuePair() {
        MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
        int key = lend(window, pair.bytes(0, 64, WindowPair.READ));
        pair.assertReads(pair.first, key, 0, 64);
        pair.invalidate(key);
        for (int i = 0; i < 64; i++) {
            pair.store(i, (byte) 0x5e);
        }
        pair.owner.qp.postRecv(ReceiveWorkRequest.of(60));
        byte[] before = new byte[64];
        pair.peer.bytes().get(WindowPair.BYTES / 2, before);

        assertThat(pair.ask(pair.first, pair.read(key, pair.address(0), 64))).hasStatus(WcStatus.REM_ACCESS_ERR);
        byte[] after = new byte[64];
        pair.peer.bytes().get(WindowPair.BYTES / 2, after);
        assertThat(after).as("what the late READ brought").isEqualTo(before);
        AsyncEvent event = pair.owner.device.pollAsyncEvent();
        assertEvent(event, EventType.QP_ACCESS_ERR, pair.owner.qp);
        assertState(pair.owner.qp, QpState.ERR);
        assertState(pair.peer.qp, QpState.ERR);
        assertThat(pair.owner.received()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(60);
        pair.assertUntouched();
    }

    /** The owner waits for the peer's word first, and its queue pair lives on. */
    @Test
    @Rule({"TR-8", "MW-84"})
    void ownerWhoWaitsForItsPeerKeepsItsQueuePair() {
        MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
        for (int round = 0; round < 3; round++) {
            int key = lend(window, pair.bytes(64 * round, 64, WindowPair.READ));
            pair.assertReads(pair.first, key, 64 * round, 64);
            giveBack(key);
            pair.store(64 * round, (byte) 0x5e);
        }
        assertState(pair.owner.qp, QpState.RTS);
        assertThat(window.life()).hasSize(3);
    }

    @Test
    @Rule({"T-01", "MW-62", "MW-80", "MW-120"})
    void ofTwoWindowsOnTheSameBytesOneIsRevokedAndTheOtherGoesOn() {
        int writing = pair.bind(pair.window(MemoryWindowType.TYPE_2), pair.bytes(0, 64, WindowPair.WRITE));
        int reading = pair.bind(pair.window(MemoryWindowType.TYPE_2), pair.bytes(32, 64, WindowPair.READ));
        pair.assertWrites(pair.first, writing, 0, 64);
        pair.assertReads(pair.first, reading, 32, 64);
        pair.invalidate(writing);
        pair.assertReads(pair.first, reading, 32, 64);
        pair.assertDenied(pair.first, pair.write(writing, pair.address(32), 8), "MW-80");
    }

    /** The seventh window, its second binding: what a stale key was is told, with the numbers. */
    @Test
    @Rule({"MW-84", "KEY-P2"})
    void staleKeyTellsTheLifeOfItsWindow() {
        for (int i = 1; i < 7; i++) {
            pair.window(MemoryWindowType.TYPE_2);
        }
        MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
        assertThat(window.handle()).isEqualTo(7);
        pair.invalidate(pair.bind(window, pair.bytes(0, 64, WindowPair.ALL)));
        int key = pair.bind(window, pair.bytes(64, 32, WindowPair.READ));
        giveBack(key);
        pair.bind(window, pair.bytes(128, 32, WindowPair.READ));
        pair.assertDenied(
                pair.first,
                pair.read(key, pair.address(64), 8),
                "MW-84",
                String.format("key 0x%08x was window 7's 2nd binding", key),
                String.format("[0x%x,0x%x)", pair.address(64), pair.address(96)),
                String.format("revoked by SEND_WITH_INV from qp 0x%x", pair.peer.qp.number()));

        assertThat(window.life()).hasSize(3);
        assertThat(window.life().get(0).toString())
                .contains("binding 1", String.format("LOCAL_INV on qp 0x%x", pair.owner.qp.number()));
        assertThat(window.life().get(1).toString())
                .contains(
                        "binding 2", "REMOTE_READ", String.format("SEND_WITH_INV from qp 0x%x", pair.peer.qp.number()));
        assertThat(window.life().get(2).toString()).contains("binding 3", "valid");
    }

    /** Windows as NetworkDirect has them (B.8). */
    @Test
    @Rule({"MW-120", "MW-32", "MW-62"})
    void windowGoesFromOneQueuePairAndRegionToAnother() {
        MemoryRegion other =
                pair.owner.pd.register(Memory.allocate(4096), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
        Connection second = pair.connect();
        int key = pair.bind(pair.first.owner(), window, pair.bytes(0, 64, WindowPair.ALL));
        pair.assertWrites(pair.first, key, 0, 64);
        pair.invalidate(key);
        key = pair.bind(second.owner(), window, BindInfo.of(other, WindowPair.READ));
        assertThat(pair.ask(second, pair.read(key, other.address(), 4096))).isSuccess();
        second.owner().postSend(SendWorkRequest.localInvalidate(9, key));
        assertThat(pair.owner.sent()).isSuccess().hasId(9);
        other.close();
        key = pair.bind(second.owner(), window, pair.bytes(64, 64, WindowPair.WRITE));
        pair.assertWrites(second, key, 64, 64);
        pair.assertDenied(pair.first, pair.write(key, pair.address(64), 8), "MW-104");
    }

    @Test
    @Rule({"TR-11", "MW-95", "MW-06"})
    void windowWhoseQueuePairIsGoneIsDeallocatedBeforeItsRegion() {
        Connection second = pair.connect();
        MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
        int key = pair.bind(second.owner(), window, pair.bytes(0, 64, WindowPair.ALL));
        second.owner().close();
        pair.assertDenied(pair.connect(), pair.write(key, pair.address(0), 8), "MW-95");
        pair.owner.qp.postSend(SendWorkRequest.localInvalidate(1, key));
        assertThat(pair.owner.sent()).hasStatus(WcStatus.MW_BIND_ERR).hasId(1);
        window.close();
        pair.region.close();
        pair.owner.qp.modify(new QpAttributes().state(QpState.RESET));
    }
}

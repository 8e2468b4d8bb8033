// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WindowBinding;
import dev.verbatim.verbs.WorkCompletion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shortest way through the life of a window of each type. */
@Tag("smoke")
class FirstWindowTest {

    private static final int LENGTH_BYTES = 64;

    private final Memory memory = Memory.allocate(256);

    private MemoryRegion region(RcPair pair) {
        return pair.right.pd.register(memory, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
    }

    @Test
    @Rule({"MW-30", "MW-54", "MW-70", "MW-80", "MW-84", "MW-105"})
    void windowOfType2IsBoundUsedRevokedByThePeerAndItsStaleKeyIsExplained() {
        try (RcPair pair = RcPair.inProcess()) {
            MemoryRegion region = region(pair);
            MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
            BindInfo info =
                    new BindInfo(region, region.address() + LENGTH_BYTES, LENGTH_BYTES, AccessFlags.REMOTE_WRITE);
            SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, 0x41, info);
            pair.right.qp.postSend(bind);
            assertThat(pair.right.sent()).isSuccess().hasOpcode(WcOpcode.BIND_MW);
            assertThat(bind.boundKey()).isEqualTo(Rkey.withVariant(window.rkey(), 0x41));

            pair.left.bytes().putLong(0, 42);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(9));
            pair.left.qp.postSend(SendWorkRequest.write(2, info.address(), bind.boundKey(), pair.left.sge(0, 8))
                    .unsignaled());
            pair.left.qp.postSend(SendWorkRequest.sendWithInvalidate(3, bind.boundKey()));
            assertThat(pair.left.sent()).isSuccess().hasId(3);
            WorkCompletion received = pair.right.received();
            assertThat(received).isSuccess().hasId(9);
            assertThat(received.flags()).isEqualTo(WcFlags.WITH_INV);
            assertThat(received.invalidatedKey()).isEqualTo(bind.boundKey());
            assertThat(memory.buffer().getLong(LENGTH_BYTES)).isEqualTo(42);

            pair.left.qp.postSend(SendWorkRequest.write(4, info.address(), bind.boundKey(), pair.left.sge(8, 8)));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertState(pair.right.qp, QpState.ERR);
            var event = pair.right.device.getAsyncEvent(Await.LIMIT);
            assertThat(event).isNotNull();
            assertThat(String.valueOf(event.refusal()))
                    .contains(
                            "window 1's 1st binding",
                            "revoked by SEND_WITH_INV from qp 0x" + Integer.toHexString(pair.left.qp.number()));
            assertEvent(event, EventType.QP_ACCESS_ERR, pair.right.qp);
            assertThat(memory.buffer().getLong(LENGTH_BYTES)).isEqualTo(42);
            assertThat(window.life()).extracting(WindowBinding::rkey).containsExactly(bind.boundKey());
            window.close();
            region.close();
        }
    }

    @Test
    @Rule({"MW-20", "MW-23", "MW-107"})
    void windowOfType1IsBoundAgainAndTheOldKeyDies() {
        try (RcPair pair = RcPair.inProcess()) {
            MemoryRegion region = region(pair);
            MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_1);
            int atFirst = window.rkey();
            BindInfo low = new BindInfo(region, region.address(), LENGTH_BYTES, AccessFlags.REMOTE_READ);
            pair.right.qp.bindWindow(window, WindowBind.signaled(1, low));
            assertThat(window.rkey()).isEqualTo(Rkey.increment(atFirst));
            assertThat(pair.right.sent()).isSuccess().hasOpcode(WcOpcode.BIND_MW);
            pair.left.qp.postSend(SendWorkRequest.read(2, region.address(), window.rkey(), pair.left.sge(0, 64)));
            assertThat(pair.left.sent()).isSuccess();

            int old = window.rkey();
            pair.right.qp.bindWindow(window, WindowBind.signaled(3, BindInfo.of(region, AccessFlags.REMOTE_READ)));
            assertThat(pair.right.sent()).isSuccess();
            pair.left.qp.postSend(SendWorkRequest.read(4, region.address(), window.rkey(), pair.left.sge(0, 256)));
            assertThat(pair.left.sent()).isSuccess();
            pair.left.qp.postSend(SendWorkRequest.read(5, region.address(), old, pair.left.sge(0, 1)));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertThat(window.life()).hasSize(2);
        }
    }

    @Test
    @Rule("MW-31")
    void keyOfTheAllocationIsToldFromTheKeyThatTheBindGave() {
        try (RcPair pair = RcPair.inProcess()) {
            MemoryRegion region = region(pair);
            MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
            SendWorkRequest bind =
                    SendWorkRequest.bindWindow(1, window, 0x41, BindInfo.of(region, AccessFlags.REMOTE_WRITE));
            pair.right.qp.postSend(bind);
            assertThat(pair.right.sent()).isSuccess();
            pair.left.qp.postSend(
                    SendWorkRequest.write(2, region.address(), window.rkey(), pair.left.sge(0, LENGTH_BYTES)));
            assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
            var event = pair.right.device.getAsyncEvent(Await.LIMIT);
            assertThat(event).isNotNull();
            assertThat(String.valueOf(event.refusal()))
                    .contains("what rkey() of window 1 of TYPE_2 says", "bound with key 0x08000041", "[MW-31]");
        }
    }

    @Test
    @Rule({"MW-50", "MW-71", "WC-33"})
    void failingBindEndsItsQueuePairAndWhatIsBehindItIsFlushed() {
        try (RcPair pair = RcPair.inProcess()) {
            MemoryRegion closed = pair.right.pd.register(memory, AccessFlags.LOCAL_WRITE);
            MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
            BindInfo info = BindInfo.of(closed, AccessFlags.REMOTE_READ);
            pair.right.qp.postSend(
                    SendWorkRequest.bindWindow(1, window, 1, info).unsignaled());
            pair.right.qp.postSend(SendWorkRequest.localInvalidate(2, window.rkey()));
            assertThat(pair.right.sent())
                    .hasId(1)
                    .hasStatus(WcStatus.MW_BIND_ERR)
                    .isExplainedBy("MW-50", "MW_BIND");
            assertThat(pair.right.sent()).hasId(2).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertState(pair.right.qp, QpState.ERR);
            assertState(pair.left.qp, QpState.RTS);
        }
    }

    @Test
    @Rule({"MW-80", "MR-50", "MR-51"})
    void localInvalidationSetsTheRegionFree() {
        try (RcPair pair = RcPair.inProcess()) {
            MemoryRegion region = region(pair);
            MemoryWindow window = pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
            SendWorkRequest bind =
                    SendWorkRequest.bindWindow(1, window, 7, BindInfo.of(region, AccessFlags.REMOTE_READ));
            pair.right.qp.postSend(bind);
            assertThat(pair.right.sent()).isSuccess();
            org.assertj.core.api.Assertions.assertThatThrownBy(region::close).hasMessageContaining("MR-50");
            pair.right.qp.postSend(SendWorkRequest.localInvalidate(2, bind.boundKey()));
            assertThat(pair.right.sent()).isSuccess().hasOpcode(WcOpcode.LOCAL_INV);
            region.close();
            window.close();
        }
    }
}

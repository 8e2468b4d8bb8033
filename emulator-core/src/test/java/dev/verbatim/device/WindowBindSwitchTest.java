// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import org.junit.jupiter.api.Test;

/** Each switch about binds: what a device does that has it otherwise, next to the strict one. */
class WindowBindSwitchTest {

    private static void failsToBind(WindowBench bench, MemoryWindow window, BindInfo info, String rule) {
        bench.pair.right.qp.postSend(SendWorkRequest.bindWindow(1, window, 0x41, info));
        assertThat(bench.pair.right.sent())
                .hasId(1)
                .hasStatus(WcStatus.MW_BIND_ERR)
                .isExplainedBy(rule);
        assertState(bench.pair.right.qp, QpState.ERR);
    }

    @Test
    @Rule({"MW-33", "KEY-P4"})
    void sameKeyRebind() {
        try (WindowBench bench = WindowBench.strict()) {
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
            BindInfo info = BindInfo.of(bench.region(), WindowBench.READ_WRITE);
            int key = bench.bind(window, 0x41, info);
            assertThat(bench.invalidate(bench.pair.right.qp, key)).isSuccess();
            assertThat(bench.bind(window, 0x41, info)).isEqualTo(key);
            asserted();
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.sameKeyRebind(false))) {
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
            BindInfo info = BindInfo.of(bench.region(), WindowBench.READ_WRITE);
            int key = bench.bind(window, 0x41, info);
            assertThat(bench.invalidate(bench.pair.right.qp, key)).isSuccess();
            int other = bench.bind(window, 0x42, info);
            assertThat(bench.invalidate(bench.pair.right.qp, other)).isSuccess();
            bench.bind(window, 0x41, info);
            assertThat(bench.invalidate(bench.pair.right.qp, key)).isSuccess();
            failsToBind(bench, window, info, "MW-33");
        }
    }

    @Test
    @Rule("MW-49")
    void bindZeroBasedMr() {
        try (WindowBench bench = WindowBench.strict()) {
            MemoryRegion region = bench.region(AccessFlags.ZERO_BASED);
            failsToBind(
                    bench,
                    bench.window(MemoryWindowType.TYPE_2),
                    new BindInfo(region, 64, 64, WindowBench.READ_WRITE),
                    "MW-49");
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.bindZeroBasedMr(true))) {
            MemoryRegion region = bench.region(AccessFlags.ZERO_BASED);
            BindInfo info = new BindInfo(region, 64, 64, WindowBench.READ_WRITE);
            MemoryWindow second = bench.window(MemoryWindowType.TYPE_2);
            int key = bench.bind(second, 0x41, info);
            bench.pair.left.bytes().putLong(0, 42);
            assertThat(bench.write(64, key, 8)).isEqualTo(WcStatus.SUCCESS);
            assertThat(bench.memory.buffer().getLong(64)).isEqualTo(42);
            MemoryWindow first = bench.window(MemoryWindowType.TYPE_1);
            bench.pair.right.qp.bindWindow(first, WindowBind.signaled(1, info));
            assertThat(bench.pair.right.sent()).isSuccess();
            assertThat(bench.write(72, first.rkey(), 8)).isEqualTo(WcStatus.SUCCESS);
            assertThat(bench.memory.buffer().getLong(72)).isEqualTo(42);
            assertThat(bench.write(0, key, 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
            asserted();
        }
    }

    @Test
    @Rule({"MW-14", "MW-49"})
    void zeroBasedMrRefusedAtPost() {
        try (WindowBench bench = WindowBench.strict()) {
            BindInfo info = BindInfo.of(bench.region(AccessFlags.ZERO_BASED), WindowBench.READ_WRITE);
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_1);
            int before = window.rkey();
            assertRefused(
                    Errno.EINVAL, "MW-14", () -> bench.pair.right.qp.bindWindow(window, WindowBind.signaled(1, info)));
            assertThat(window.rkey()).isEqualTo(before);
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.zeroBasedMrRefusedAtPost(false))) {
            BindInfo info = BindInfo.of(bench.region(AccessFlags.ZERO_BASED), WindowBench.READ_WRITE);
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_1);
            bench.pair.right.qp.bindWindow(window, WindowBind.signaled(1, info));
            assertThat(bench.pair.right.sent()).hasStatus(WcStatus.MW_BIND_ERR).isExplainedBy("MW-49");
        }
    }

    @Test
    @Rule("MW-43")
    void zeroBased() {
        int access = AccessFlags.REMOTE_WRITE | AccessFlags.ZERO_BASED;
        try (WindowBench bench = WindowBench.strict()) {
            MemoryRegion region = bench.region();
            int key = bench.bind(
                    bench.window(MemoryWindowType.TYPE_2),
                    0x41,
                    new BindInfo(region, region.address() + 64, 64, access));
            bench.pair.left.bytes().putLong(0, 42);
            assertThat(bench.write(8, key, 8)).isEqualTo(WcStatus.SUCCESS);
            assertThat(bench.memory.buffer().getLong(72)).isEqualTo(42);
            asserted();
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.zeroBased(false))) {
            failsToBind(bench, bench.window(MemoryWindowType.TYPE_2), BindInfo.of(bench.region(), access), "MW-43");
        }
    }

    @Test
    @Rule({"MW-112", "MW-43"})
    void atomics() {
        try (WindowBench bench = WindowBench.strict()) {
            MemoryRegion region = bench.region();
            int key = bench.bind(
                    bench.window(MemoryWindowType.TYPE_2), 0x41, BindInfo.of(region, AccessFlags.REMOTE_ATOMIC));
            bench.pair.left.qp.postSend(
                    SendWorkRequest.fetchAndAdd(1, region.address(), key, 5, bench.pair.left.sge(0, 8)));
            assertThat(bench.pair.left.sent()).isSuccess();
            assertThat(bench.memory.buffer().getLong(0)).isEqualTo(5);
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.atomics(false))) {
            MemoryRegion region = bench.region();
            BindInfo info = BindInfo.of(region, AccessFlags.REMOTE_ATOMIC | AccessFlags.REMOTE_WRITE);
            int key = bench.bind(bench.window(MemoryWindowType.TYPE_2), 0x41, info);
            assertThat(bench.write(region.address() + 8, key, 8)).isEqualTo(WcStatus.SUCCESS);
            bench.pair.left.qp.postSend(
                    SendWorkRequest.fetchAndAdd(1, region.address(), key, 5, bench.pair.left.sge(0, 8)));
            assertThat(bench.pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
            assertThat(bench.memory.buffer().getLong(0)).isZero();
        }
    }

    @Test
    @Rule({"WC-33", "MW-56", "MW-81"})
    void unsignaledBindErrors() {
        try (WindowBench bench = WindowBench.strict()) {
            bench.pair.right.qp.postSend(failingBind(bench).unsignaled());
            bench.pair.right.qp.postSend(SendWorkRequest.localInvalidate(2, 0).unsignaled());
            assertThat(bench.pair.right.sent()).hasId(1).hasStatus(WcStatus.MW_BIND_ERR);
            assertThat(bench.pair.right.sent()).hasId(2).hasStatus(WcStatus.WR_FLUSH_ERR);
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.unsignaledBindErrors(false))) {
            bench.pair.right.qp.postSend(failingBind(bench).unsignaled());
            bench.pair.right.qp.postSend(SendWorkRequest.localInvalidate(2, 0).unsignaled());
            assertThat(bench.pair.right.sent()).hasId(2).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertThat(bench.pair.right.sendCq.poll(1)).isEmpty();
            assertState(bench.pair.right.qp, QpState.ERR);
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.unsignaledBindErrors(false))) {
            bench.pair.right.qp.postSend(failingBind(bench));
            assertThat(bench.pair.right.sent()).hasId(1).hasStatus(WcStatus.MW_BIND_ERR);
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.unsignaledBindErrors(false))) {
            bench.pair.right.qp.postSend(SendWorkRequest.localInvalidate(2, 0).unsignaled());
            assertThat(bench.pair.right.sent()).hasId(2).hasStatus(WcStatus.MW_BIND_ERR);
        }
    }

    private static SendWorkRequest failingBind(WindowBench bench) {
        MemoryRegion closed = bench.pair.right.pd.register(bench.memory, AccessFlags.LOCAL_WRITE);
        BindInfo info = BindInfo.of(closed, AccessFlags.REMOTE_READ);
        return SendWorkRequest.bindWindow(1, bench.window(MemoryWindowType.TYPE_2), 0x41, info);
    }

    @Test
    @Rule({"MW-31", "MW-30"})
    void bindUpdatesRkey() {
        try (WindowBench bench = WindowBench.strict()) {
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
            int before = window.rkey();
            int key = bench.bind(window, 0x41, BindInfo.of(bench.region(), WindowBench.READ_WRITE));
            assertThat(window.rkey()).isEqualTo(before).isNotEqualTo(key);
            assertThat(window.currentRkey()).isEqualTo(key);
            asserted();
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.bindUpdatesRkey(true))) {
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
            int key = bench.bind(window, 0x41, BindInfo.of(bench.region(), WindowBench.READ_WRITE));
            assertThat(window.rkey()).isEqualTo(key);
            asserted();
        }
    }

    /** Binds a window of type 1 in vain, so that programs see a key of it that the device does not know. */
    private static MemoryWindow windowAfterAFailedBind(WindowBench bench) {
        MemoryWindow window = bench.window(MemoryWindowType.TYPE_1);
        MemoryRegion closed = bench.pair.right.pd.register(bench.memory, AccessFlags.LOCAL_WRITE);
        BindInfo info = BindInfo.of(closed, AccessFlags.REMOTE_READ);
        bench.pair.right.qp.bindWindow(window, WindowBind.signaled(1, info));
        assertThat(bench.pair.right.sent()).hasStatus(WcStatus.MW_BIND_ERR);
        return window;
    }

    @Test
    @Rule({"MW-41", "KEY-08"})
    void currentKeyCompared() {
        try (WindowBench bench = WindowBench.strict()) {
            MemoryWindow window = windowAfterAFailedBind(bench);
            QueuePair other = bench.anotherQueuePair();
            other.bindWindow(window, WindowBind.signaled(2, BindInfo.of(bench.region(), WindowBench.READ_WRITE)));
            assertThat(bench.pair.right.sent()).hasId(2).isSuccess();
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.currentKeyCompared(true))) {
            MemoryWindow window = windowAfterAFailedBind(bench);
            QueuePair other = bench.anotherQueuePair();
            other.bindWindow(window, WindowBind.signaled(2, BindInfo.of(bench.region(), WindowBench.READ_WRITE)));
            assertThat(bench.pair.right.sent())
                    .hasId(2)
                    .hasStatus(WcStatus.MW_BIND_ERR)
                    .isExplainedBy("MW-41");
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.currentKeyCompared(true))) {
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_1);
            BindInfo info = BindInfo.of(bench.region(), WindowBench.READ_WRITE);
            bench.pair.right.qp.bindWindow(window, WindowBind.signaled(1, info));
            bench.pair.right.qp.bindWindow(window, WindowBind.signaled(2, info));
            assertThat(bench.pair.right.sent()).hasId(1).isSuccess();
            assertThat(bench.pair.right.sent()).hasId(2).isSuccess();
        }
    }

    @Test
    @Rule({"MW-21", "KEY-08"})
    void failedBindRestoresRkey() {
        try (WindowBench bench = WindowBench.strict()) {
            MemoryWindow window = windowAfterAFailedBind(bench);
            assertThat(window.rkey()).isEqualTo(Rkey.increment(window.currentRkey()));
            asserted();
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.failedBindRestoresRkey(true))) {
            MemoryWindow window = windowAfterAFailedBind(bench);
            assertThat(window.rkey()).isEqualTo(window.currentRkey());
            asserted();
        }
    }

    @Test
    @Rule("MW-21")
    void failedBindLeavesTheKeyOfABindThatWasPostedBehindIt() {
        try (WindowBench bench = WindowBench.with(switches -> switches.failedBindRestoresRkey(true))) {
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_1);
            BindInfo outside = new BindInfo(bench.region(), bench.region().address() - 1, 1, WindowBench.READ_WRITE);
            bench.pair.right.qp.modify(new QpAttributes().state(QpState.SQD), QpAttributeMask.STATE);
            bench.pair.right.qp.bindWindow(window, WindowBind.signaled(1, outside));
            bench.pair.right.qp.bindWindow(window, WindowBind.signaled(2, outside));
            int ofTheSecond = window.rkey();
            bench.pair.right.qp.modify(new QpAttributes().state(QpState.RTS), QpAttributeMask.STATE);
            assertThat(bench.pair.right.sent()).hasId(1).hasStatus(WcStatus.MW_BIND_ERR);
            assertThat(bench.pair.right.sent()).hasId(2).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertThat(window.rkey()).isEqualTo(ofTheSecond);
            asserted();
        }
    }

    @Test
    @Rule({"MW-30", "MW-31"})
    void upperBitsOfAKeyThatIsAskedForGoNowhere() {
        try (WindowBench bench = WindowBench.with(switches -> switches.bindUpdatesRkey(true))) {
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
            MemoryWindow other = bench.window(MemoryWindowType.TYPE_2);
            BindInfo info = BindInfo.of(bench.region(), WindowBench.READ_WRITE);
            int asked = Rkey.withVariant(other.rkey(), 0x41);
            int key = Rkey.withVariant(window.rkey(), 0x41);
            SendWorkRequest bind = SendWorkRequest.bind(1, SendFlags.SIGNALED, window, asked, info);
            bench.pair.right.qp.postSend(bind);
            assertThat(bench.pair.right.sent()).isSuccess();
            assertThat(bind.boundKey()).isEqualTo(key);
            assertThat(window.rkey()).isEqualTo(key);
            window.close();
            bench.pair.right.qp.postSend(SendWorkRequest.bindWindow(2, other, 0x42, info));
            assertThat(bench.pair.right.sent()).isSuccess();
            assertThat(other.currentRkey()).isEqualTo(Rkey.withVariant(asked, 0x42));
            asserted();
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.profile.WindowSwitches.BoundRegion;
import dev.verbatim.profile.WindowSwitches.FailedRemoteInvalidation;
import dev.verbatim.profile.WindowSwitches.LocalInvStatus;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each switch about the types of windows, their invalidation and their end: a device that has it otherwise, next to the strict one. */
class WindowLifeSwitchTest {

    private static long capabilities(WindowBench bench) {
        return bench.pair.right.device.query().capabilities();
    }

    @Test
    @Rule({"MW-02", "MW-03"})
    void type1() {
        try (WindowBench bench = WindowBench.strict()) {
            assertThat(bench.window(MemoryWindowType.TYPE_1).type()).isEqualTo(MemoryWindowType.TYPE_1);
            assertThat(capabilities(bench) & DeviceCapabilities.MEM_WINDOW).isNotZero();
            asserted();
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.type1(false))) {
            assertRefused(Errno.EOPNOTSUPP, "MW-03", () -> bench.window(MemoryWindowType.TYPE_1));
            assertThat(capabilities(bench) & DeviceCapabilities.MEM_WINDOW).isZero();
        }
    }

    @Test
    @Rule({"MW-02", "MW-03", "MW-95", "MW-96"})
    void type2() {
        int both = DeviceCapabilities.MEM_WINDOW_TYPE_2A | DeviceCapabilities.MEM_WINDOW_TYPE_2B;
        try (WindowBench bench = WindowBench.strict()) {
            assertThat(capabilities(bench) & both).isEqualTo(DeviceCapabilities.MEM_WINDOW_TYPE_2B);
            bench.bind(bench.window(MemoryWindowType.TYPE_2), 1, BindInfo.of(bench.region(), WindowBench.READ_WRITE));
            bench.pair.right.qp.close();
            asserted();
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.type2(WindowSwitches.Type2.A))) {
            assertThat(capabilities(bench) & both).isEqualTo(DeviceCapabilities.MEM_WINDOW_TYPE_2A);
            bench.bind(bench.window(MemoryWindowType.TYPE_2), 1, BindInfo.of(bench.region(), WindowBench.READ_WRITE));
            assertRefused(Errno.EBUSY, "MW-95", () -> bench.pair.right.qp.close());
        }
        try (WindowBench bench = WindowBench.with(switches -> switches.type2(WindowSwitches.Type2.NONE))) {
            assertThat(capabilities(bench) & both).isZero();
            assertRefused(Errno.EOPNOTSUPP, "MW-03", () -> bench.window(MemoryWindowType.TYPE_2));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule({"MR-50", "MR-51"})
    void boundRegion(BoundRegion behaviour) {
        try (WindowBench bench = WindowBench.with(switches -> switches.boundRegion(behaviour))) {
            MemoryRegion region = bench.region();
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
            int key = bench.bind(window, 1, BindInfo.of(region, WindowBench.READ_WRITE));
            if (behaviour == BoundRegion.ORPHAN) {
                region.close();
                bench.pair.left.bytes().putLong(0, 42);
                assertThat(bench.write(region.address(), key, 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
                assertThat(bench.memory.buffer().getLong(0)).isZero();
                assertThat(String.valueOf(bench.pair.right.device.pollAsyncEvent()))
                        .contains(EventType.QP_ACCESS_ERR.name(), "MW-108");
                window.close();
                asserted();
            } else {
                Errno errno = behaviour == BoundRegion.EBUSY ? Errno.EBUSY : Errno.EINVAL;
                assertRefused(errno, "MR-50", region::close);
                assertThat(bench.write(region.address(), key, 8)).isEqualTo(WcStatus.SUCCESS);
                assertThat(bench.invalidate(bench.pair.right.qp, key)).isSuccess();
                region.close();
            }
        }
    }

    @Test
    @Rule({"MR-50", "MW-80", "MW-06"})
    void orphansCanBeInvalidatedBoundElsewhereAndDeallocated() {
        try (WindowBench bench = WindowBench.with(switches -> switches.boundRegion(BoundRegion.ORPHAN))) {
            MemoryRegion gone = bench.region();
            BindInfo info = BindInfo.of(gone, WindowBench.READ_WRITE);
            MemoryWindow first = bench.window(MemoryWindowType.TYPE_1);
            bench.pair.right.qp.bindWindow(first, WindowBind.signaled(1, info));
            assertThat(bench.pair.right.sent()).isSuccess();
            MemoryWindow second = bench.window(MemoryWindowType.TYPE_2);
            int key = bench.bind(second, 1, info);
            MemoryWindow third = bench.window(MemoryWindowType.TYPE_2);
            bench.bind(third, 2, info);
            gone.close();

            MemoryRegion region = bench.region();
            BindInfo elsewhere = BindInfo.of(region, WindowBench.READ_WRITE);
            assertThat(bench.invalidate(bench.pair.right.qp, key)).isSuccess();
            int again = bench.bind(second, 1, elsewhere);
            assertThat(bench.write(region.address(), again, 8)).isEqualTo(WcStatus.SUCCESS);
            bench.pair.right.qp.bindWindow(first, WindowBind.signaled(2, elsewhere));
            assertThat(bench.pair.right.sent()).isSuccess();
            assertThat(bench.write(region.address(), first.rkey(), 8)).isEqualTo(WcStatus.SUCCESS);
            third.close();
            first.close();
            second.close();
            region.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"SILENT, RETRY_EXC_ERR", "NAK, REM_ACCESS_ERR", "ACKNOWLEDGED, SUCCESS"})
    @Rule({"MW-85", "WC-35"})
    void failedRemoteInvalidation(FailedRemoteInvalidation behaviour, WcStatus seenByTheSender) {
        try (WindowBench bench = WindowBench.with(switches -> switches.failedRemoteInvalidation(behaviour))) {
            bench.pair.right.qp.postRecv(ReceiveWorkRequest.of(1));
            bench.pair.left.qp.postSend(SendWorkRequest.sendWithInvalidate(2, 0x0a41));
            assertThat(bench.pair.left.sent()).hasId(2).hasStatus(seenByTheSender);
            assertThat(bench.pair.right.received())
                    .hasId(1)
                    .hasStatus(WcStatus.REM_INV_REQ_ERR)
                    .isExplainedBy("MW-85");
            assertState(bench.pair.right.qp, QpState.ERR);
            assertState(bench.pair.left.qp, seenByTheSender == WcStatus.SUCCESS ? QpState.RTS : QpState.ERR);
        }
    }

    @Test
    @Rule({"MW-82", "MW-80"})
    void freeWindowInvalidates() {
        for (boolean allowed : new boolean[] {false, true}) {
            try (WindowBench bench = WindowBench.with(switches -> switches.freeWindowInvalidates(allowed))) {
                MemoryRegion region = bench.region();
                MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
                int key = bench.bind(window, 1, BindInfo.of(region, WindowBench.READ_WRITE));
                assertThat(bench.invalidate(bench.pair.right.qp, key)).isSuccess();
                if (allowed) {
                    assertThat(bench.invalidate(bench.pair.right.qp, key)).isSuccess();
                    assertThat(bench.write(region.address(), key, 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
                } else {
                    assertThat(bench.invalidate(bench.pair.right.qp, key))
                            .hasStatus(WcStatus.MW_BIND_ERR)
                            .isExplainedBy("MW-82");
                    assertState(bench.pair.right.qp, QpState.ERR);
                }
                assertThat(window.life()).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule({"MW-81", "WC-34"})
    void localInvStatus(LocalInvStatus status) {
        try (WindowBench bench = WindowBench.with(switches -> switches.localInvStatus(status))) {
            assertThat(bench.invalidate(bench.pair.right.qp, bench.pair.right.rkey()))
                    .hasStatus(WcStatus.valueOf(status.name()))
                    .isExplainedBy("MW-81");
            assertState(bench.pair.right.qp, QpState.ERR);
        }
    }

    @Test
    @Rule("MW-81")
    void crossQpInvalidate() {
        for (boolean allowed : new boolean[] {false, true}) {
            try (WindowBench bench = WindowBench.with(switches -> switches.crossQpInvalidate(allowed))) {
                MemoryRegion region = bench.region();
                int key = bench.bind(
                        bench.window(MemoryWindowType.TYPE_2), 1, BindInfo.of(region, WindowBench.READ_WRITE));
                QueuePair other = bench.anotherQueuePair();
                if (allowed) {
                    assertThat(bench.invalidate(other, key)).isSuccess();
                    region.close();
                } else {
                    assertThat(bench.invalidate(other, key))
                            .hasStatus(WcStatus.MW_BIND_ERR)
                            .isExplainedBy("MW-81");
                    assertThat(bench.write(region.address(), key, 8)).isEqualTo(WcStatus.SUCCESS);
                }
            }
        }
    }

    @Test
    @Rule("MW-85")
    void crossQpInvalidateByAPeer() {
        for (boolean allowed : new boolean[] {false, true}) {
            try (WindowBench bench = WindowBench.with(switches -> switches.crossQpInvalidate(allowed))) {
                QueuePair binder = bench.anotherQueuePair();
                SendWorkRequest bind = SendWorkRequest.bindWindow(
                        1,
                        bench.window(MemoryWindowType.TYPE_2),
                        0x41,
                        BindInfo.of(bench.region(), WindowBench.READ_WRITE));
                binder.postSend(bind);
                assertThat(bench.pair.right.sent()).isSuccess();
                bench.pair.right.qp.postRecv(ReceiveWorkRequest.of(2));
                bench.pair.left.qp.postSend(SendWorkRequest.sendWithInvalidate(3, bind.boundKey()));
                assertThat(bench.pair.left.sent()).hasStatus(allowed ? WcStatus.SUCCESS : WcStatus.RETRY_EXC_ERR);
                assertThat(bench.pair.right.received())
                        .hasStatus(allowed ? WcStatus.SUCCESS : WcStatus.REM_INV_REQ_ERR);
            }
        }
    }

    @Test
    @Rule("MW-81")
    void crossQpInvalidateStaysWithinTheDomain() {
        try (WindowBench bench = WindowBench.with(switches -> switches.crossQpInvalidate(true))) {
            int key = bench.bind(
                    bench.window(MemoryWindowType.TYPE_2), 1, BindInfo.of(bench.region(), WindowBench.READ_WRITE));
            QueuePair stranger = bench.pair.right.device.allocatePd().createQp(bench.pair.right.qp.initAttributes());
            RcConnection.USUAL.join(bench.pair.left.newQueuePair(), stranger);
            assertThat(bench.invalidate(stranger, key))
                    .hasStatus(WcStatus.MW_BIND_ERR)
                    .isExplainedBy("MW-81");
        }
    }

    @Test
    @Rule({"MW-94", "MW-95"})
    void keepOverReset() {
        for (boolean kept : new boolean[] {false, true}) {
            try (WindowBench bench = WindowBench.with(switches -> switches.keepOverReset(kept))) {
                MemoryRegion region = bench.region();
                MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
                int key = bench.bind(window, 1, BindInfo.of(region, WindowBench.READ_WRITE));
                bench.pair.right.qp.modify(new QpAttributes().state(QpState.RESET));
                bench.pair.left.qp.modify(new QpAttributes().state(QpState.RESET));
                RcConnection.USUAL.join(bench.pair.left.qp, bench.pair.right.qp);
                assertThat(bench.write(region.address(), key, 8))
                        .isEqualTo(kept ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR);
                if (!kept) {
                    assertThat(String.valueOf(bench.pair.right.device.pollAsyncEvent()))
                            .contains("MW-95");
                    assertThat(bench.invalidate(bench.anotherQueuePair(), key))
                            .hasStatus(WcStatus.MW_BIND_ERR)
                            .isExplainedBy("MW-81", "reset or destroyed since");
                }
                window.close();
                region.close();
                asserted();
            }
        }
    }
}

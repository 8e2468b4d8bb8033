// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is alike on all presets, and what a program meets on each of them. */
class PresetsTest {

    static List<DeviceProfile> presets() {
        return DeviceProfile.presets();
    }

    @ParameterizedTest
    @MethodSource("presets")
    @Rule({"TR-1", "TR-2", "MW-84", "MW-93"})
    void windowOfType2LivesAndDiesAlike(DeviceProfile preset) {
        try (WindowBench bench = WindowBench.of(preset)) {
            MemoryRegion region = bench.region();
            BindInfo info = BindInfo.of(region, AccessFlags.REMOTE_WRITE);
            int key = bench.bind(bench.window(MemoryWindowType.TYPE_2), 0x41, info);
            bench.pair.left.bytes().putLong(0, 42);
            assertThat(bench.write(region.address(), key, 8)).isEqualTo(WcStatus.SUCCESS);
            bench.pair.right.qp.postRecv(ReceiveWorkRequest.of(1));
            bench.pair.left.qp.postSend(SendWorkRequest.sendWithInvalidate(2, key));
            assertThat(bench.pair.left.sent()).isSuccess();
            WorkCompletion received = bench.pair.right.received();
            assertThat(received)
                    .isSuccess()
                    .hasFlags(WcFlags.WITH_INV | (preset.equals(DeviceProfile.RXE_LIKE) ? WcFlags.GRH : 0));
            assertThat(received.invalidatedKey()).isEqualTo(key);
            bench.pair.left.bytes().putLong(0, 43);
            assertThat(bench.write(region.address(), key, 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
            assertState(bench.pair.right.qp, QpState.ERR);
            assertThat(bench.memory.buffer().getLong(0)).isEqualTo(42);
            region.close();
        }
    }

    @ParameterizedTest
    @MethodSource("presets")
    @Rule({"MW-20", "MW-23", "MW-24"})
    void windowOfType1IsBoundAgainAndUnboundAlike(DeviceProfile preset) {
        try (WindowBench bench = WindowBench.of(preset)) {
            MemoryRegion region = bench.region();
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_1);
            BindInfo info = BindInfo.of(region, AccessFlags.REMOTE_WRITE);
            for (int i = 0; i < 3; i++) {
                bench.pair.right.qp.bindWindow(window, WindowBind.signaled(i, info));
                assertThat(bench.pair.right.sent()).isSuccess();
                assertThat(bench.write(region.address(), window.rkey(), 8)).isEqualTo(WcStatus.SUCCESS);
            }
            bench.pair.right.qp.bindWindow(window, WindowBind.signaled(4, BindInfo.NOTHING));
            assertThat(bench.pair.right.sent()).isSuccess();
            region.close();
        }
    }

    @ParameterizedTest
    @MethodSource("presets")
    @Rule({"MR-13", "MR-30"})
    void keysAndLengthsOfRegions(DeviceProfile preset) {
        try (WindowBench bench = WindowBench.of(preset)) {
            boolean strict = preset.equals(DeviceProfile.STRICT_IBTA);
            MemoryRegion region = bench.region(AccessFlags.REMOTE_READ);
            assertThat(region.rkey() == region.lkey()).isEqualTo(!strict);
            assertThat(bench.region().rkey() == 0).isEqualTo(strict);
            Memory memory = Memory.allocate(8);
            if (preset.equals(DeviceProfile.IRDMA_LIKE) || preset.equals(DeviceProfile.RXE_LIKE)) {
                assertRefused(Errno.EINVAL, "MR-30", () -> bench.pair.right.pd.register(memory, 0, 0, 0));
            } else {
                assertThat(bench.pair.right.pd.register(memory, 0, 0, 0).lengthBytes())
                        .isZero();
                asserted();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("presets")
    @Rule("QS-07")
    void fromResetToErr(DeviceProfile preset) {
        try (WindowBench bench = WindowBench.of(preset)) {
            QueuePair qp = bench.pair.right.newQueuePair();
            QpAttributes toErr = new QpAttributes().state(QpState.ERR);
            if (preset.equals(DeviceProfile.STRICT_IBTA)) {
                qp.modify(toErr);
                assertState(qp, QpState.ERR);
            } else {
                assertRefused(Errno.EINVAL, "QS-07", () -> qp.modify(toErr));
                assertState(qp, QpState.RESET);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("presets")
    @Rule("WR-34")
    void atomicsOfOtherSizesThanEight(DeviceProfile preset) {
        for (int size : new int[] {4, 9}) {
            try (WindowBench bench = WindowBench.of(preset)) {
                bench.pair.right.bytes().putLong(0, 42);
                bench.pair.left.bytes().put(72, (byte) 7);
                SendWorkRequest add = SendWorkRequest.fetchAndAdd(
                        1, bench.pair.right.address(0), bench.pair.right.rkey(), 1, bench.pair.left.sge(64, size));
                if (size < 8 && preset.equals(DeviceProfile.RXE_LIKE)) {
                    assertRefused(Errno.EINVAL, "WR-34", () -> bench.pair.left.qp.postSend(add), "8 bytes in all");
                    continue;
                }
                boolean takes = size > 8 && preset.posting().lenientAtomicSize();
                bench.pair.left.qp.postSend(add);
                assertThat(bench.pair.left.sent()).hasStatus(takes ? WcStatus.SUCCESS : WcStatus.LOC_LEN_ERR);
                assertThat(bench.pair.right.bytes().getLong(0)).isEqualTo(takes ? 43 : 42);
                assertThat(bench.pair.left.bytes().getLong(64)).isEqualTo(takes ? 42 : 0);
                assertThat(bench.pair.left.bytes().get(72)).isEqualTo((byte) 7);
            }
        }
    }

    /** The conformance tests record it of mlx5: the right can be granted, and is of no use. */
    @ParameterizedTest
    @MethodSource("presets")
    @Rule("MW-112")
    void atomicsThroughAWindow(DeviceProfile preset) {
        for (MemoryWindowType type : MemoryWindowType.values()) {
            try (WindowBench bench = WindowBench.of(preset)) {
                MemoryRegion region = bench.region();
                BindInfo info = BindInfo.of(region, AccessFlags.REMOTE_ATOMIC);
                MemoryWindow window = bench.window(type);
                int key;
                if (type == MemoryWindowType.TYPE_1) {
                    bench.pair.right.qp.bindWindow(window, WindowBind.signaled(1, info));
                    assertThat(bench.pair.right.sent()).isSuccess();
                    key = window.rkey();
                } else {
                    key = bench.bind(window, 0x41, info);
                }
                bench.pair.left.qp.postSend(
                        SendWorkRequest.fetchAndAdd(2, region.address(), key, 5, bench.pair.left.sge(0, 8)));
                boolean works = !preset.equals(DeviceProfile.MLX5_LIKE);
                assertThat(bench.pair.left.sent()).hasStatus(works ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR);
                assertThat(bench.memory.buffer().getLong(0)).isEqualTo(works ? 5 : 0);
            }
        }
    }

    /** The conformance tests record it of irdma, and all but the WRITE of mlx5. */
    @ParameterizedTest
    @MethodSource("presets")
    @Rule("WR-01")
    void requestsThatDatagramsDoNotHave(DeviceProfile preset) {
        try (WindowBench bench = WindowBench.of(preset)) {
            Side left = bench.pair.left;
            Side right = bench.pair.right;
            QueuePair qp = left.pd.createQp(QpInitAttributes.ud(left.sendCq, left.recvCq, QpCapabilities.USUAL));
            new UdReadiness(0x1234).toRts(qp);
            AddressHandle there = left.pd.createAddressHandle(AddressVector.to(right.device.gid()));
            boolean completes = preset.equals(DeviceProfile.IRDMA_LIKE) || preset.equals(DeviceProfile.MLX5_LIKE);
            for (SendWorkRequest request : List.of(
                    SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 8)),
                    SendWorkRequest.read(1, right.address(0), right.rkey(), left.sge(0, 8)),
                    SendWorkRequest.fetchAndAdd(1, right.address(0), right.rkey(), 1, left.sge(0, 8)),
                    SendWorkRequest.compareAndSwap(1, right.address(0), right.rkey(), 1, 2, left.sge(0, 8)))) {
                SendWorkRequest datagram = request.to(there, 5, 0x1234);
                if (completes) {
                    qp.postSend(datagram);
                    assertThat(left.sent()).hasStatus(WcStatus.LOC_QP_OP_ERR);
                    assertState(qp, QpState.SQE);
                    qp.modify(new QpAttributes().state(QpState.RTS));
                } else {
                    assertRefused(Errno.EINVAL, "WR-01", () -> qp.postSend(datagram));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("presets")
    @Rule({"CQ-03", "AE-01", "WC-04"})
    void completionQueueThatIsOverrun(DeviceProfile preset) {
        try (WindowBench bench = WindowBench.of(preset)) {
            Side left = bench.pair.left;
            CompletionQueue small = left.device.createCq(3);
            QueuePair sender = left.pd.createQp(QpInitAttributes.rc(small, left.recvCq, QpCapabilities.USUAL));
            RcConnection.USUAL.join(sender, bench.pair.right.newQueuePair());
            for (int id = 1; id <= 4; id++) {
                sender.postSend(writeOf(bench, id));
            }
            bench.write(bench.pair.right.address(0), bench.pair.right.rkey(), 8);
            AsyncEvent event = left.device.pollAsyncEvent();
            boolean idles = preset.equals(DeviceProfile.IRDMA_LIKE);
            assertThat(event == null).as("%s", event).isEqualTo(idles);
            if (event != null) {
                assertThat(event.type()).isEqualTo(EventType.CQ_ERR);
                event.acknowledge();
            }
            assertThat(small.poll(9)).extracting(WorkCompletion::id).containsExactly(1L, 2L, 3L);
            if (idles) {
                assertState(sender, QpState.RTS);
                sender.postSend(writeOf(bench, 5));
                bench.write(bench.pair.right.address(0), bench.pair.right.rkey(), 8);
                assertThat(small.poll(9)).isEmpty();
                assertThat(left.device.pollAsyncEvent()).isNull();
                assertState(sender, QpState.RTS);
            }
        }
    }

    private static SendWorkRequest writeOf(WindowBench bench, long id) {
        Side right = bench.pair.right;
        return SendWorkRequest.write(id, right.address(0), right.rkey(), bench.pair.left.sge(0, 8));
    }

    /** As was measured there: the region stays in use, and the window works on. */
    @Test
    @Rule({"MR-50", "MW-81", "MW-85"})
    void softRoceRefusesAndTellsOtherwise() {
        try (WindowBench bench = WindowBench.of(DeviceProfile.RXE_LIKE)) {
            MemoryRegion region = bench.region();
            MemoryWindow window = bench.window(MemoryWindowType.TYPE_1);
            bench.pair.right.qp.bindWindow(
                    window, WindowBind.signaled(1, BindInfo.of(region, AccessFlags.REMOTE_WRITE)));
            assertThat(bench.pair.right.sent()).isSuccess();
            assertRefused(Errno.EINVAL, "MR-50", region::close);
            assertThat(bench.write(region.address(), window.rkey(), 8)).isEqualTo(WcStatus.SUCCESS);
            bench.pair.right.qp.postRecv(ReceiveWorkRequest.of(2));
            bench.pair.left.qp.postSend(SendWorkRequest.sendWithInvalidate(3, window.rkey()));
            assertThat(bench.pair.left.sent()).isSuccess();
            assertThat(bench.pair.right.received())
                    .hasStatus(WcStatus.REM_INV_REQ_ERR)
                    .isExplainedBy("MW-85");
            assertThat(bench.invalidate(bench.anotherQueuePair(), window.rkey()))
                    .hasStatus(WcStatus.LOC_QP_OP_ERR)
                    .isExplainedBy("MW-81");
        }
    }
}

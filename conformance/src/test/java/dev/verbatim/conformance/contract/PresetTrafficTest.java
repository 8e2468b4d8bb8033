// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;

import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What presets do that a rule leaves to devices is nothing that the oracle, which reads every event, holds against them. */
class PresetTrafficTest {

    static List<DeviceProfile> presets() {
        return DeviceProfile.presets();
    }

    private static RcPair open(DeviceProfile preset) {
        return FabricKind.IN_PROCESS.open(QpCapabilities.USUAL, preset, preset).connect(RcPair.WITHOUT_TIMER);
    }

    @ParameterizedTest
    @MethodSource("presets")
    @Rule({"WC-02", "WR-34", "QP-26", "MW-94"})
    void trafficOfAPresetIsSoundToTheOracle(DeviceProfile preset) {
        try (RcPair pair = open(preset)) {
            Side left = pair.left;
            Side right = pair.right;
            right.qp.postRecv(ReceiveWorkRequest.of(1, right.sge(0, 64)));
            left.qp.postSend(SendWorkRequest.sendWithImmediate(2, 7, left.sge(0, 64)));
            assertThat(left.sent()).isSuccess();
            assertThat(right.received()).isSuccess();
            left.qp.postSend(SendWorkRequest.write(3, right.address(64), right.rkey(), left.sge(0, 64)));
            assertThat(left.sent()).isSuccess();
            if (preset.posting().lenientAtomicSize()) {
                left.qp.postSend(
                        SendWorkRequest.fetchAndAdd(4, right.address(128), right.rkey(), 5, left.sge(128, 16)));
                assertThat(left.sent()).isSuccess();
            }
            left.qp.modify(new QpAttributes().state(QpState.SQD));
            AsyncEvent event = left.device.pollAsyncEvent();
            if (event != null) {
                event.acknowledge();
            }
            left.qp.modify(new QpAttributes().state(QpState.RTS));
            if (preset.posting().inlineOnReads()) {
                left.qp.postSend(SendWorkRequest.read(5, right.address(0), right.rkey(), left.sge(256, 8))
                        .plus(SendFlags.INLINE));
                assertThat(left.sent()).hasStatus(WcStatus.LOC_PROT_ERR);
                assertState(left.qp, QpState.ERR);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("presets")
    @Rule({"MW-94", "MW-112"})
    void windowsOfAPresetAreSoundToTheOracle(DeviceProfile preset) {
        try (RcPair pair = open(preset)) {
            Side left = pair.left;
            Side right = pair.right;
            MemoryRegion region = right.pd.register(right.region.memory(), Side.ALL_RIGHTS | AccessFlags.MW_BIND);
            MemoryWindow window = right.pd.allocateWindow(MemoryWindowType.TYPE_2);
            int rights = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
            SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, 0x41, BindInfo.of(region, rights));
            right.qp.postSend(bind);
            assertThat(right.sent()).isSuccess();
            left.qp.modify(new QpAttributes().state(QpState.RESET));
            right.qp.modify(new QpAttributes().state(QpState.RESET));
            RcPair.WITHOUT_TIMER.join(left.qp, right.qp);
            left.qp.postSend(SendWorkRequest.write(2, region.address(), bind.boundKey(), left.sge(0, 8)));
            assertThat(left.sent())
                    .hasStatus(preset.windows().keepOverReset() ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR);
            left.qp.modify(new QpAttributes().state(QpState.RESET));
            right.qp.modify(new QpAttributes().state(QpState.RESET));
            RcPair.WITHOUT_TIMER.join(left.qp, right.qp);
            MemoryWindow other = right.pd.allocateWindow(MemoryWindowType.TYPE_2);
            SendWorkRequest again = SendWorkRequest.bindWindow(3, other, 0x42, BindInfo.of(region, rights));
            right.qp.postSend(again);
            assertThat(right.sent()).isSuccess();
            left.qp.postSend(SendWorkRequest.fetchAndAdd(4, region.address(), again.boundKey(), 5, left.sge(0, 8)));
            assertThat(left.sent()).hasStatus(preset.windows().atomics() ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR);
        }
    }
}

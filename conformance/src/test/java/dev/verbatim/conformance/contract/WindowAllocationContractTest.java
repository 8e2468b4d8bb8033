// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.conformance.contract.WindowPair.Connection;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.profile.WindowSwitches.Type2;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WindowBind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How windows come to be, whom they serve, and how they end (B.1). */
@OnOneFabric
class WindowAllocationContractTest {

    private static final int MOST = 3;

    @Parameter
    FabricKind fabric;

    private static DeviceProfile profile(WindowSwitches switches) {
        return DeviceProfile.STRICT_IBTA.toBuilder().windows(switches).build();
    }

    /** At most {@link #MOST} windows, on a few indexes that come again soon. */
    private static DeviceProfile fewWindows() {
        return DeviceProfile.STRICT_IBTA.toBuilder()
                .sequentialKeys()
                .limits(DeviceLimits.DEFAULT.toBuilder().maxMw(MOST).build())
                .build();
    }

    @ParameterizedTest
    @CsvSource({"true, NONE", "false, NONE", "true, A", "false, A", "true, B", "false, B"})
    @Rule({"MW-02", "MW-03"})
    void deviceHasTheWindowsThatItSaysItHas(boolean type1, Type2 type2) {
        DeviceProfile profile = profile(
                WindowSwitches.STRICT.toBuilder().type1(type1).type2(type2).build());
        try (RcPair pair = fabric.open(QpCapabilities.USUAL, DeviceProfile.STRICT_IBTA, profile)) {
            long capabilities = pair.right.device.query().capabilities();
            assertThat((capabilities & DeviceCapabilities.MEM_WINDOW) != 0).isEqualTo(type1);
            assertThat((capabilities & DeviceCapabilities.MEM_WINDOW_TYPE_2A) != 0)
                    .isEqualTo(type2 == Type2.A);
            assertThat((capabilities & DeviceCapabilities.MEM_WINDOW_TYPE_2B) != 0)
                    .isEqualTo(type2 == Type2.B);
            assertThat((capabilities & DeviceCapabilities.MEM_MGT_EXTENSIONS) != 0)
                    .isEqualTo(type2 != Type2.NONE);
            assertAllocation(pair.right.pd, MemoryWindowType.TYPE_1, type1);
            assertAllocation(pair.right.pd, MemoryWindowType.TYPE_2, type2 != Type2.NONE);
        }
    }

    private static void assertAllocation(ProtectionDomain pd, MemoryWindowType type, boolean offered) {
        if (offered) {
            MemoryWindow window = pd.allocateWindow(type);
            assertThat(window.type()).isEqualTo(type);
            assertThat(window.pd()).isSameAs(pd);
            window.close();
            asserted();
        } else {
            assertRefused(Errno.EOPNOTSUPP, "MW-03", () -> pd.allocateWindow(type), type.toString());
        }
    }

    @Test
    @Rule("MR-07")
    void deviceWithoutWindowsRegistersMemoryForThemAllTheSame() {
        WindowSwitches none =
                WindowSwitches.STRICT.toBuilder().type1(false).type2(Type2.NONE).build();
        try (RcPair pair = fabric.open(QpCapabilities.USUAL, DeviceProfile.STRICT_IBTA, profile(none))) {
            MemoryRegion region = pair.right.pd.register(
                    Memory.allocate(64), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.MW_BIND);
            pair.connect(RcConnection.USUAL);
            pair.left.qp.postSend(SendWorkRequest.read(1, region.address(), region.rkey(), pair.left.sge(0, 64)));
            assertThat(pair.left.sent()).isSuccess();
        }
    }

    @Test
    @Rule("MW-03")
    void asManyWindowsAsTheDeviceSaysCanBeAllocatedAndNotOneMore() {
        try (RcPair pair = fabric.open(QpCapabilities.USUAL, DeviceProfile.STRICT_IBTA, fewWindows())) {
            ProtectionDomain pd = pair.right.pd;
            assertThat(pair.right.device.query().maxMw()).isEqualTo(MOST);
            List<MemoryWindow> windows = new ArrayList<>();
            for (int i = 0; i < MOST; i++) {
                windows.add(pd.allocateWindow(i == 0 ? MemoryWindowType.TYPE_1 : MemoryWindowType.TYPE_2));
            }
            assertRefused(
                    Errno.ENOMEM,
                    "MW-03",
                    () -> pd.allocateWindow(MemoryWindowType.TYPE_2),
                    "max_mw=" + MOST + " are in use");
            windows.get(1).close();
            pd.allocateWindow(MemoryWindowType.TYPE_1);
            assertRefused(Errno.ENOMEM, "MW-03", () -> pd.allocateWindow(MemoryWindowType.TYPE_1));
        }
    }

    @ParameterizedTest
    @CsvSource({"TYPE_1, 2", "TYPE_1, 4", "TYPE_1, 8", "TYPE_2, 2", "TYPE_2, 4", "TYPE_2, 8"})
    @Rule({"MW-04", "MW-105", "MW-109"})
    void freshWindowGrantsNothing(MemoryWindowType type, int right) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(type);
            assertThat(window.life()).isEmpty();
            assertThat(window.currentRkey()).isEqualTo(window.rkey());
            assertThat(pair.ask(pair.first, pair.write(window.rkey(), pair.address(0), 0)))
                    .isSuccess();
            pair.assertDenied(
                    pair.first,
                    pair.request(right, window.rkey(), pair.address(0), 8),
                    "MW-04",
                    "window " + window.handle(),
                    "not been bound yet");
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @Rule({"MW-05", "PD-01", "PD-02"})
    void windowKeepsItsDomainBusyUntilItIsDeallocated(MemoryWindowType type) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            ProtectionDomain pd = pair.owner.device.allocatePd();
            MemoryWindow window = pd.allocateWindow(type);
            assertRefused(Errno.EBUSY, "PD-01", pd::close, "window");
            MemoryWindow another = pd.allocateWindow(type);
            window.close();
            assertRefused(Errno.EBUSY, "PD-01", pd::close, "window");
            another.close();
            pd.close();
            assertRefused(Errno.ENOENT, "PD-02", () -> pd.allocateWindow(type));
        }
    }

    /** A state in which a window can be when it is deallocated, and how it comes there; it then has the key that is given. */
    private enum State {
        FRESH_1(MemoryWindowType.TYPE_1, (pair, window) -> {}),
        BOUND_1(MemoryWindowType.TYPE_1, (pair, window) -> pair.bind(window, pair.bytes(0, 64, WindowPair.ALL))),
        REBOUND_1(MemoryWindowType.TYPE_1, (pair, window) -> {
            pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            pair.bind(window, pair.bytes(64, 64, WindowPair.READ));
        }),
        UNBOUND_1(MemoryWindowType.TYPE_1, (pair, window) -> {
            pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            pair.bind(window, BindInfo.NOTHING);
        }),
        QUEUE_PAIR_GONE_1(MemoryWindowType.TYPE_1, (pair, window) -> {
            Connection other = pair.connect();
            pair.bind(other.owner(), window, pair.bytes(0, 64, WindowPair.ALL));
            other.owner().close();
        }),
        FREE_2(MemoryWindowType.TYPE_2, (pair, window) -> {}),
        BOUND_2(MemoryWindowType.TYPE_2, (pair, window) -> pair.bind(window, pair.bytes(0, 64, WindowPair.ALL))),
        INVALIDATED_2(
                MemoryWindowType.TYPE_2,
                (pair, window) -> pair.invalidate(pair.bind(window, pair.bytes(0, 64, WindowPair.ALL)))),
        QUEUE_PAIR_IN_ERR_2(MemoryWindowType.TYPE_2, (pair, window) -> {
            Connection other = pair.connect();
            pair.bind(other.owner(), window, pair.bytes(0, 64, WindowPair.ALL));
            other.owner().modify(new QpAttributes().state(QpState.ERR));
        }),
        QUEUE_PAIR_IN_RESET_2(MemoryWindowType.TYPE_2, (pair, window) -> {
            Connection other = pair.connect();
            pair.bind(other.owner(), window, pair.bytes(0, 64, WindowPair.ALL));
            other.owner().modify(new QpAttributes().state(QpState.RESET));
        }),
        QUEUE_PAIR_GONE_2(MemoryWindowType.TYPE_2, (pair, window) -> {
            Connection other = pair.connect();
            pair.bind(other.owner(), window, pair.bytes(0, 64, WindowPair.ALL));
            other.owner().close();
        });

        private final MemoryWindowType type;
        private final BiConsumer<WindowPair, MemoryWindow> way;

        State(MemoryWindowType type, BiConsumer<WindowPair, MemoryWindow> way) {
            this.type = type;
            this.way = way;
        }
    }

    @ParameterizedTest
    @EnumSource(State.class)
    @Rule({"MW-06", "MW-08", "MW-95", "MR-51", "KEY-P2"})
    void windowIsDeallocatedInEveryStateAndFreesItsRegionAndItsKey(State state) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(state.type);
            state.way.accept(pair, window);
            int key = window.currentRkey();
            window.close();

            assertRefused(Errno.ENOENT, "MW-06", window::close, "window " + window.handle());
            assertThat(pair.ask(pair.first, pair.read(key, pair.address(0), 0))).isSuccess();
            pair.region.close();
            // A key that was revoked before is remembered for that.
            boolean revoked = state == State.INVALIDATED_2;
            pair.assertDenied(
                    pair.first,
                    pair.write(key, pair.address(0), 8),
                    revoked ? "MW-80" : "MW-08",
                    "window " + window.handle(),
                    revoked ? "LOCAL_INV" : "deallocation");
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @Rule({"MW-08", "KEY-P1", "KEY-P5", "KEY-03"})
    void recycledIndexComesWithAnotherVariant(MemoryWindowType type) {
        try (RcPair pair = fabric.open(QpCapabilities.USUAL, DeviceProfile.STRICT_IBTA, fewWindows())) {
            Map<Integer, Integer> last = new HashMap<>();
            MemoryWindow stays = pair.right.pd.allocateWindow(type);
            for (int round = 0; round < 300; round++) {
                MemoryWindow window = pair.right.pd.allocateWindow(type);
                int key = window.rkey();
                assertThat(key >>> 8).isNotEqualTo(stays.rkey() >>> 8).isNotEqualTo(pair.right.region.lkey() >>> 8);
                Integer before = last.put(key >>> 8, key);
                assertThat(before == null || before != key)
                        .as("key 0x%08x is another than the last of its index", key)
                        .isTrue();
                window.close();
            }
            assertThat(last).as("indexes, of which there are few").hasSizeLessThan(20);
            asserted();
        }
    }

    @Test
    @Rule({"MW-01", "MW-103"})
    void windowOfTypeOneServesEveryQueuePairOfItsDomainAndNoOther() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            int key = pair.bind(pair.window(MemoryWindowType.TYPE_1), pair.bytes(64, 64, WindowPair.ALL));
            Connection second = pair.connect();
            for (Connection connection : List.of(pair.first, second)) {
                pair.assertWrites(connection, key, 64, 64);
                pair.assertReads(connection, key, 64, 64);
                pair.assertAdds(connection, key, 64);
            }
            Connection stranger = pair.connect(RcConnection.USUAL, pair.queuePairOfOtherDomain());
            pair.assertDenied(stranger, pair.write(key, pair.address(64), 8), "MW-103", "window");
            pair.assertReads(second, key, 64, 64);
        }
    }

    @ParameterizedTest
    @CsvSource({"A, false", "A, true", "B, false", "B, true"})
    @Rule({"MW-01", "MW-35", "MW-103", "MW-104"})
    void windowOfTypeTwoServesOnlyTheQueuePairThatBoundIt(Type2 type, boolean otherDomain) {
        WindowSwitches switches = WindowSwitches.STRICT.toBuilder().type2(type).build();
        try (WindowPair pair = WindowPair.open(fabric, switches)) {
            int key = pair.bind(pair.window(MemoryWindowType.TYPE_2), pair.bytes(64, 64, WindowPair.ALL));
            Connection stranger =
                    otherDomain ? pair.connect(RcConnection.USUAL, pair.queuePairOfOtherDomain()) : pair.connect();
            pair.assertWrites(pair.first, key, 64, 64);
            // 2A compares the queue pair alone, 2B first the domain.
            String rule = otherDomain && type == Type2.B ? "MW-103" : "MW-104";
            pair.assertDenied(stranger, pair.read(key, pair.address(64), 8), rule, "window");
            pair.assertReads(pair.first, key, 64, 64);
            pair.assertAdds(pair.first, key, 64);
        }
    }

    @Test
    @Rule({"MW-03", "KEY-07"})
    void windowOfOneDeviceIsNothingToAnother() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow foreign = pair.peer.pd.allocateWindow(MemoryWindowType.TYPE_1);
            int key = foreign.rkey();
            assertRefused(
                    Errno.EINVAL,
                    "MW-58",
                    () -> pair.owner.qp.bindWindow(foreign, WindowBind.signaled(1, pair.bytes(0, 8, WindowPair.READ))),
                    "device");
            assertThat(foreign.rkey()).isEqualTo(key);
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.conformance.contract.BindAttempt.Wrong;
import dev.verbatim.conformance.contract.WindowPair.Connection;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is checked when a bind executes, in which order, and what its failure leaves (B.4). */
@OnOneFabric
class BindChecksContractTest {

    private static final int MW_BIND = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND;

    @Parameter
    FabricKind fabric;

    static Stream<Arguments> attempts() {
        return Stream.of(MemoryWindowType.values())
                .flatMap(type -> BindAttempt.singlesAndPairs(type).stream().map(wrong -> Arguments.of(type, wrong)));
    }

    @ParameterizedTest
    @MethodSource("attempts")
    @Rule({
        "MW-40", "MW-41", "MW-42", "MW-43", "MW-44", "MW-45", "MW-46", "MW-47", "MW-48", "MW-49", "MW-50", "MW-51",
        "MW-52", "MW-56", "MW-57", "MW-58", "MW-59", "WC-33", "WC-05"
    })
    void bindThatIsWrongFailsForWhatIsCheckedFirstAndLeavesTheWindowAsItWas(MemoryWindowType type, List<Wrong> wrong) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            BindAttempt attempt = new BindAttempt(pair, type, wrong);
            int bindings = attempt.window.life().size();
            attempt.make();
            assertThat(pair.owner.sent())
                    .hasStatus(WcStatus.MW_BIND_ERR)
                    .hasId(1)
                    .hasOpcode(WcOpcode.BIND_MW)
                    .isExplainedBy(attempt.first().rule, attempt.first().words);
            assertThat(pair.owner.sent()).hasStatus(WcStatus.WR_FLUSH_ERR).hasId(2);
            assertThat(pair.owner.sendCq.poll(1)).isEmpty();
            assertState(attempt.binder.owner(), QpState.ERR);
            assertState(attempt.binder.peer(), QpState.RTS);
            assertThat(pair.owner.device.pollAsyncEvent()).isNull();
            if (wrong.contains(Wrong.WINDOW_GONE)) {
                return;
            }
            assertThat(attempt.window.life()).hasSize(bindings);
            if (attempt.oldKey != 0) {
                pair.assertReads(pair.first, attempt.oldKey, 0, 64);
            } else {
                int key = pair.bind(attempt.window, pair.bytes(64, 64, WindowPair.READ));
                pair.assertReads(pair.first, key, 64, 64);
            }
        }
    }

    @Test
    @Rule({"MW-42", "MW-47"})
    void bindOfNoBytesIsNotAskedForItsRegion() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            BindAttempt attempt =
                    new BindAttempt(pair, MemoryWindowType.TYPE_2, List.of(Wrong.REGION_GONE, Wrong.NO_BYTES));
            attempt.make();
            assertThat(pair.owner.sent()).hasStatus(WcStatus.MW_BIND_ERR).isExplainedBy("MW-47");
        }
    }

    @ParameterizedTest
    @CsvSource({"TYPE_1, false", "TYPE_2, false", "TYPE_2, true"})
    @Rule({"MW-52", "MW-57", "MW-64"})
    void wholeRegionCanBeBoundAndNotOneByteMore(MemoryWindowType type, boolean zeroBased) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            int access = WindowPair.ALL | (zeroBased ? AccessFlags.ZERO_BASED : 0);
            int key = pair.bind(pair.window(type), pair.bytes(0, WindowPair.BYTES, access));
            long start = zeroBased ? 0 : pair.address(0);
            pair.assertWrites(pair.first, key, start, 0, 1);
            pair.assertWrites(pair.first, key, start + WindowPair.BYTES - 1, WindowPair.BYTES - 1, 1);

            for (BindInfo tooMuch : List.of(
                    pair.bytes(-1, WindowPair.BYTES, access),
                    pair.bytes(1, WindowPair.BYTES, access),
                    pair.bytes(0, WindowPair.BYTES + 1L, access),
                    pair.bytes(WindowPair.BYTES, 1, access),
                    pair.bytes(-8, 8, access),
                    new BindInfo(pair.region, 0, 8, access),
                    new BindInfo(pair.region, -8, 16, access),
                    new BindInfo(pair.region, pair.address(8), -8, access),
                    new BindInfo(pair.region, pair.address(8), Long.MIN_VALUE, access),
                    new BindInfo(pair.region, pair.address(8), 1L << 32, access))) {
                Connection binder = pair.connect();
                assertThat(attempt(pair, binder, pair.window(type), tooMuch))
                        .hasStatus(WcStatus.MW_BIND_ERR)
                        .isExplainedBy("MW-52", String.format("0x%x", pair.address(0)));
                binder.owner().close();
            }
        }
    }

    /** Posts a bind over the owner's end of a connection and waits for its completion. */
    private static WorkCompletion attempt(WindowPair pair, Connection binder, MemoryWindow window, BindInfo info) {
        if (window.type() == MemoryWindowType.TYPE_1) {
            binder.owner().bindWindow(window, WindowBind.signaled(1, info));
        } else {
            binder.owner().postSend(SendWorkRequest.bindWindow(1, window, 7, info));
        }
        return pair.owner.sent();
    }

    /** The rights of the region matter only for what the device itself must do: place bytes. */
    @ParameterizedTest
    @CsvSource({
        "TYPE_1, false, 0, true", "TYPE_1, false, 4, true", "TYPE_1, false, 2, false", "TYPE_1, false, 8, false",
        "TYPE_1, true, 0, true", "TYPE_1, true, 4, true", "TYPE_1, true, 2, true", "TYPE_1, true, 8, true",
        "TYPE_2, false, 0, true", "TYPE_2, false, 4, true", "TYPE_2, false, 2, false", "TYPE_2, false, 8, false",
        "TYPE_2, true, 0, true", "TYPE_2, true, 4, true", "TYPE_2, true, 2, true", "TYPE_2, true, 8, true"
    })
    @Rule({"MW-51", "MW-54", "MW-55", "MW-56", "MW-106", "MW-112"})
    void regionNeedsNoRemoteRightsForAnyWindow(
            MemoryWindowType type, boolean locallyWritable, int access, boolean permitted) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            int flags = AccessFlags.MW_BIND | (locallyWritable ? AccessFlags.LOCAL_WRITE : 0);
            MemoryRegion region = pair.owner.pd.register(pair.region.memory(), flags);
            MemoryWindow window = pair.window(type);
            BindInfo info = new BindInfo(region, region.address(), 64, access);
            if (!permitted) {
                assertThat(attempt(pair, pair.first, window, info))
                        .hasStatus(WcStatus.MW_BIND_ERR)
                        .isExplainedBy("MW-51", "LOCAL_WRITE", AccessFlags.describe(access));
                return;
            }
            int key = pair.bind(window, info);
            if (access != 0) {
                pair.assertServes(pair.first, access, key, 0);
            }
            int other = access == WindowPair.READ ? WindowPair.WRITE : WindowPair.READ;
            pair.assertDenied(
                    pair.first,
                    pair.request(other, key, pair.address(0), 8),
                    "MW-106",
                    AccessFlags.describe(other),
                    "grants only " + AccessFlags.describe(access));
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @Rule({"MW-55", "MW-43"})
    void localWriteOfAWindowIsAcceptedAndMeansNothing(MemoryWindowType type) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryRegion region = pair.owner.pd.register(pair.region.memory(), AccessFlags.MW_BIND);
            int key = pair.bind(
                    pair.window(type),
                    new BindInfo(region, region.address(), 64, AccessFlags.LOCAL_WRITE | WindowPair.READ));
            pair.assertReads(pair.first, key, 0, 64);
            pair.assertDenied(pair.first, pair.write(key, pair.address(0), 8), "MW-106");
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @Rule({"MW-53", "MW-100"})
    void rightsOfTheQueuePairCountWhenTheWindowIsUsedAndNotWhenItIsBound(MemoryWindowType type) {
        try (WindowPair pair = WindowPair.open(fabric, RcConnection.USUAL.withAccess(0))) {
            int key = pair.bind(pair.window(type), pair.bytes(0, 64, WindowPair.ALL));
            pair.assertDenied(WcStatus.REM_INV_REQ_ERR, pair.first, pair.write(key, pair.address(0), 8), "WC-25");
        }
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    @Rule({"MW-59", "MW-12"})
    void domainsThatDifferAreRefusedForBothTypes(boolean otherRegion, boolean otherQueuePair) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryRegion region = (otherRegion ? pair.owner.device.allocatePd() : pair.owner.pd)
                    .register(Memory.allocate(64), MW_BIND);
            MemoryWindow first = pair.window(MemoryWindowType.TYPE_1);
            Connection binder =
                    otherQueuePair ? pair.connect(RcConnection.USUAL, pair.queuePairOfOtherDomain()) : pair.connect();
            BindInfo info = BindInfo.of(region, WindowPair.READ);
            if (otherRegion) {
                assertRefused(
                        Errno.EPERM, "MW-12", () -> binder.owner().bindWindow(first, WindowBind.signaled(1, info)));
            } else {
                assertThat(attempt(pair, binder, first, info))
                        .hasStatus(WcStatus.MW_BIND_ERR)
                        .isExplainedBy("MW-46");
            }
            Connection another =
                    otherQueuePair ? pair.connect(RcConnection.USUAL, pair.queuePairOfOtherDomain()) : pair.connect();
            assertThat(attempt(pair, another, pair.window(MemoryWindowType.TYPE_2), info))
                    .hasStatus(WcStatus.MW_BIND_ERR)
                    .isExplainedBy(otherQueuePair ? "MW-46" : "MW-48");
        }
    }

    @Test
    @Rule("MW-49")
    void deviceThatBindsToZeroBasedRegionsTakesTheirAddresses() {
        WindowSwitches switches =
                WindowSwitches.STRICT.toBuilder().bindZeroBasedMr(true).build();
        try (WindowPair pair = WindowPair.open(fabric, switches)) {
            MemoryRegion region = pair.owner.pd.register(pair.region.memory(), MW_BIND | AccessFlags.ZERO_BASED);
            int key = pair.bind(pair.window(MemoryWindowType.TYPE_2), new BindInfo(region, 64, 64, WindowPair.READ));
            pair.assertReads(pair.first, key, 64, 64, 64);
            pair.assertDenied(pair.first, pair.read(key, 63, 8), "MW-107");
        }
    }
}

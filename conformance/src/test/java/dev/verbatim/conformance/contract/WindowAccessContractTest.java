// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.conformance.contract.WindowPair.Connection;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.profile.WindowSwitches.Type2;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the responder asks of an access through a window, in which order (B.7). */
@OnOneFabric
class WindowAccessContractTest {

    @Parameter
    FabricKind fabric;

    /** What kind of window, and whom it is tied to. */
    private enum Kind {
        TYPE_1(MemoryWindowType.TYPE_1, Type2.NONE),
        TYPE_2A(MemoryWindowType.TYPE_2, Type2.A),
        TYPE_2B(MemoryWindowType.TYPE_2, Type2.B);

        private final MemoryWindowType type;
        private final Type2 type2;

        Kind(MemoryWindowType type, Type2 type2) {
            this.type = type;
            this.type2 = type2;
        }

        WindowPair open(FabricKind fabric) {
            return WindowPair.open(
                    fabric, WindowSwitches.STRICT.toBuilder().type2(type2).build());
        }
    }

    /** What can be wrong with an access, in the order of the checks. */
    private enum Wrong {
        RIGHT_OF_QUEUE_PAIR("WC-25"),
        MISALIGNED("WR-35"),
        KEY("MW-102"),
        DOMAIN("MW-103"),
        QUEUE_PAIR("MW-104"),
        UNBOUND("MW-04"),
        RIGHT("MW-106"),
        RANGE("MW-107");

        private final String rule;

        Wrong(String rule) {
            this.rule = rule;
        }

        boolean concerns(Kind kind) {
            return switch (this) {
                // Of 2A the domain is not asked, of type 1 not the queue pair.
                case DOMAIN -> kind != Kind.TYPE_2A;
                case QUEUE_PAIR -> kind != Kind.TYPE_1;
                default -> true;
            };
        }

        /** A window that is bound to nothing is tied to no queue pair, and has neither rights nor range. */
        boolean excludes(Wrong later) {
            return this == QUEUE_PAIR && later == UNBOUND || this == UNBOUND;
        }
    }

    static Stream<Arguments> accesses() {
        List<Arguments> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (Wrong first : Wrong.values()) {
                if (!first.concerns(kind)) {
                    continue;
                }
                all.add(Arguments.of(kind, List.of(first)));
                for (Wrong later : Wrong.values()) {
                    if (later.compareTo(first) > 0 && later.concerns(kind) && !first.excludes(later)) {
                        all.add(Arguments.of(kind, List.of(first, later)));
                    }
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("accesses")
    @Rule({
        "MW-100", "MW-101", "MW-102", "MW-103", "MW-104", "MW-105", "MW-106", "MW-107", "MW-112", "WC-23", "WC-25",
        "KEY-04"
    })
    void accessThatIsWrongIsRefusedForWhatIsAskedFirst(Kind kind, List<Wrong> wrong) {
        try (WindowPair pair = kind.open(fabric)) {
            QueuePair ownerQp =
                    wrong.contains(Wrong.DOMAIN) ? pair.queuePairOfOtherDomain() : pair.owner.newQueuePair();
            int granted = wrong.contains(Wrong.RIGHT_OF_QUEUE_PAIR) ? 0 : WindowPair.ALL;
            Connection connection = pair.connect(RcConnection.USUAL.withAccess(granted), ownerQp);
            MemoryWindow window = pair.window(kind.type);
            int key = window.rkey();
            if (!wrong.contains(Wrong.UNBOUND)) {
                boolean stranger = wrong.contains(Wrong.QUEUE_PAIR) || wrong.contains(Wrong.DOMAIN);
                int rights = wrong.contains(Wrong.RIGHT) ? WindowPair.READ | WindowPair.WRITE : WindowPair.ALL;
                key = pair.bind(stranger ? pair.owner.qp : connection.owner(), window, pair.bytes(64, 64, rights));
            }
            long address = pair.address(wrong.contains(Wrong.RANGE) ? 128 : 64);
            SendWorkRequest request = pair.add(
                    wrong.contains(Wrong.KEY) ? key ^ 0x80 : key,
                    wrong.contains(Wrong.MISALIGNED) ? address + 4 : address);
            Wrong first = wrong.get(0);
            pair.assertDenied(
                    first.compareTo(Wrong.KEY) < 0 ? WcStatus.REM_INV_REQ_ERR : WcStatus.REM_ACCESS_ERR,
                    connection,
                    request,
                    first.rule);
        }
    }

    @Test
    @Rule({"MW-31", "MW-102"})
    void keyOfItsAllocationIsNotThatOfABoundWindowOfTypeTwo() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(MemoryWindowType.TYPE_2);
            int key = pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            assertThat(window.rkey()).isNotEqualTo(key);
            pair.assertDenied(
                    pair.first,
                    pair.read(window.rkey(), pair.address(0), 8),
                    "MW-31",
                    "window " + window.handle(),
                    String.format("0x%08x", key));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Rule({"MW-102", "KEY-04", "KEY-P7"})
    void everyBitOfTheKeyCounts(Kind kind) {
        try (WindowPair pair = kind.open(fabric)) {
            for (int bit = 0; bit < Integer.SIZE; bit++) {
                Connection connection = pair.connect();
                MemoryWindow window = pair.window(kind.type);
                int key = pair.bind(connection.owner(), window, pair.bytes(64, 64, WindowPair.ALL));
                pair.assertReads(connection, key, 64, 64);
                assertThat(pair.ask(connection, pair.read(key ^ 1 << bit, pair.address(64), 8)))
                        .hasStatus(WcStatus.REM_ACCESS_ERR);
                assertState(connection.owner(), QpState.ERR);
                pair.owner.device.pollAsyncEvent().acknowledge();
                window.close();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TYPE_1, 2, false", "TYPE_1, 4, false", "TYPE_2A, 2, false", "TYPE_2A, 4, false", "TYPE_2B, 2, false",
        "TYPE_2B, 4, false", "TYPE_2A, 2, true", "TYPE_2A, 4, true", "TYPE_2B, 2, true", "TYPE_2B, 4, true"
    })
    @Rule({"MW-107", "MW-64", "MW-110", "MR-23"})
    void windowBeginsAndEndsAtTheByte(Kind kind, int right, boolean zeroBased) {
        int offset = 4093;
        int length = 5001;
        try (WindowPair pair = kind.open(fabric)) {
            BindInfo info = pair.bytes(offset, length, WindowPair.ALL | (zeroBased ? AccessFlags.ZERO_BASED : 0));
            long start = zeroBased ? 0 : pair.address(offset);
            for (long[] wrong : new long[][] {
                {-1, 1},
                {-1, 2},
                {length, 1},
                {length - 1, 2},
                {0, length + 1},
                {-1, length},
                {-1, length + 1},
                {Long.MIN_VALUE, 8},
                {-start - 4, 8},
                {-offset, 8}
            }) {
                long first = start + wrong[0];
                boolean wraps = Long.compareUnsigned(first + wrong[1] - 1, first) < 0;
                Connection connection = pair.connect();
                MemoryWindow window = pair.window(kind.type);
                int key = pair.bind(connection.owner(), window, info);
                if (right == WindowPair.WRITE) {
                    pair.assertWrites(connection, key, start, offset, length);
                    pair.assertWrites(connection, key, start, offset, 1);
                    pair.assertWrites(connection, key, start + length - 1, offset + length - 1, 1);
                } else {
                    pair.assertReads(connection, key, start, offset, length);
                    pair.assertReads(connection, key, start + length - 1, offset + length - 1, 1);
                }
                pair.assertDenied(
                        connection,
                        pair.request(right, key, first, (int) wrong[1]),
                        wraps ? "MR-23" : "MW-107",
                        String.format("0x%x", start),
                        String.format("0x%x", start + length),
                        String.format("0x%x", first));
                window.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Rule({"MW-107", "MW-112"})
    void atomicNeedsAllOfItsEightBytes(Kind kind) {
        try (WindowPair pair = kind.open(fabric)) {
            Connection second = pair.connect();
            int key = pair.bind(pair.window(kind.type), pair.bytes(64, 15, WindowPair.ATOMIC));
            int behind = pair.bind(second.owner(), pair.window(kind.type), pair.bytes(65, 64, WindowPair.ATOMIC));
            pair.assertAdds(pair.first, key, 64);
            pair.assertAdds(second, behind, 72);
            pair.assertDenied(pair.first, pair.add(key, pair.address(72)), "MW-107");
            pair.assertDenied(second, pair.add(behind, pair.address(64)), "MW-107");
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @Rule({"MW-109", "MR-31", "T-17"})
    void accessToNoBytesSucceedsWhateverTheWindow(MemoryWindowType type) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(type);
            MemoryWindow gone = pair.window(type);
            int unbound = window.rkey();
            int key = pair.bind(window, pair.bytes(0, 64, 0));
            int dead = gone.rkey();
            gone.close();
            Connection stranger = pair.connect(RcConnection.USUAL, pair.queuePairOfOtherDomain());
            for (int each : new int[] {unbound, key, key ^ 1, dead, 0, -1}) {
                for (long address : new long[] {0, pair.address(0), pair.address(64), -1}) {
                    for (Connection connection : List.of(pair.first, stranger)) {
                        assertThat(pair.ask(connection, pair.write(each, address, 0)))
                                .isSuccess();
                        assertThat(pair.ask(connection, pair.read(each, address, 0)))
                                .isSuccess()
                                .hasByteLength(0);
                    }
                }
            }
            pair.assertUntouched();
        }
    }

    /** Through a window as through a region: one packet takes the receive, several do not. */
    @ParameterizedTest
    @CsvSource({"TYPE_1, 1024", "TYPE_1, 1025", "TYPE_2, 1024", "TYPE_2, 1025"})
    @Rule({"WC-24", "MW-106", "WR-31"})
    void writeWithImmediateThroughAWindowIsServedOrRefused(MemoryWindowType type, int length) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            int writing = pair.bind(pair.window(type), pair.bytes(0, 2048, WindowPair.WRITE));
            int reading = pair.bind(pair.window(type), pair.bytes(0, 2048, WindowPair.READ));
            pair.owner.qp.postRecv(ReceiveWorkRequest.of(50));
            pair.owner.qp.postRecv(ReceiveWorkRequest.of(51));
            // No bytes, and so no key; then all of them.
            assertThat(pair.ask(pair.first, SendWorkRequest.writeWithImmediate(1, 0, reading, 7)))
                    .isSuccess();
            assertThat(pair.owner.received()).isSuccess().hasId(50).hasByteLength(0);
            pair.assertWrites(pair.first, writing, 0, length);

            SendWorkRequest refused =
                    SendWorkRequest.writeWithImmediate(2, pair.address(0), reading, 7, pair.peer.sge(0, length));
            assertThat(pair.ask(pair.first, refused)).hasStatus(WcStatus.REM_ACCESS_ERR);
            boolean taken = length <= RcConnection.USUAL.pathMtu().bytes();
            assertThat(pair.owner.received())
                    .hasStatus(taken ? WcStatus.LOC_ACCESS_ERR : WcStatus.WR_FLUSH_ERR)
                    .hasId(51);
            pair.assertUntouched();
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @Rule({"MW-111", "MR-14", "WC-29"})
    void keyOfAWindowIsNoLocalKeyOfASend(MemoryWindowType type) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryWindow window = pair.window(type);
            int key = pair.bind(window, pair.bytes(0, 64, WindowPair.ALL));
            pair.peer.qp.postRecv(ReceiveWorkRequest.of(1, pair.peer.sge(0, 64)));
            pair.owner.qp.postSend(SendWorkRequest.send(1, new Sge(pair.address(0), 8, key)));
            assertThat(pair.owner.sent())
                    .hasStatus(WcStatus.LOC_PROT_ERR)
                    .hasId(1)
                    .isExplainedBy("MW-111", "window " + window.handle(), String.format("0x%08x", key));
            assertState(pair.owner.qp, QpState.ERR);
            assertState(pair.peer.qp, QpState.RTS);
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @Rule({"MW-111", "WC-21"})
    void keyOfAWindowIsNoLocalKeyOfAReceive(MemoryWindowType type) {
        try (WindowPair pair = WindowPair.open(fabric)) {
            int key = pair.bind(pair.window(type), pair.bytes(0, 64, WindowPair.ALL));
            pair.owner.qp.postRecv(ReceiveWorkRequest.of(1, new Sge(pair.address(0), 8, key)));
            assertThat(pair.ask(pair.first, SendWorkRequest.send(1, pair.peer.sge(0, 8))))
                    .hasStatus(WcStatus.REM_OP_ERR);
            assertThat(pair.owner.received())
                    .hasStatus(WcStatus.LOC_PROT_ERR)
                    .hasId(1)
                    .isExplainedBy("MW-111");
            pair.assertUntouched();
        }
    }

    /** One key of the same bytes may do what another may not, and the region's own key has its own rights. */
    @Test
    @Rule({"MW-62", "T-01", "MW-106", "MW-120"})
    void overlappingWindowsAndTheirRegionHaveEachTheirOwnRights() {
        try (WindowPair pair = WindowPair.open(fabric)) {
            MemoryRegion region = pair.owner.pd.register(
                    pair.region.memory(), Side.ALL_RIGHTS & ~AccessFlags.REMOTE_ATOMIC | AccessFlags.MW_BIND);
            BindInfo bytes = new BindInfo(region, region.address(), 64, WindowPair.READ);
            int reading = pair.bind(pair.window(MemoryWindowType.TYPE_2), bytes);
            int writing = pair.bind(
                    pair.window(MemoryWindowType.TYPE_2),
                    new BindInfo(region, region.address() + 32, 64, WindowPair.WRITE));
            int adding = pair.bind(
                    pair.window(MemoryWindowType.TYPE_1),
                    new BindInfo(region, region.address(), 128, WindowPair.ATOMIC));
            pair.assertReads(pair.first, reading, 0, 64);
            pair.assertWrites(pair.first, writing, 32, 64);
            pair.assertAdds(pair.first, adding, 40);
            pair.assertReads(pair.first, region.rkey(), 0, 4096);
            pair.assertWrites(pair.first, region.rkey(), 0, 4096);

            // The first is revoked; the others do not notice.
            pair.invalidate(reading);
            pair.assertWrites(pair.first, writing, 32, 64);
            pair.assertAdds(pair.first, adding, 40);
            pair.assertReads(pair.first, region.rkey(), 0, 64);
            Connection second = pair.connect();
            pair.assertDenied(second, pair.read(adding, pair.address(0), 8), "MW-106", "REMOTE_ATOMIC");
            pair.assertDenied(pair.first, pair.read(reading, pair.address(32), 8), "MW-80");
        }
    }
}

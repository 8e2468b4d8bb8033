// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.UcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.PostingSwitches;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Table E.1, cell by cell: each opcode on each type of queue pair. */
class PostableOpcodesTest {

    private static final int PEER_QP = 0x4242;

    /** Types: RC, XRC_SEND, UC, UD, XRC_RECV. */
    private static final List<String> TABLE = List.of(
            "SEND                 Y Y Y Y -",
            "SEND_WITH_IMM        Y Y Y Y -",
            "SEND_WITH_INV        Y Y - - -",
            "RDMA_WRITE           Y Y Y - -",
            "RDMA_WRITE_WITH_IMM  Y Y Y - -",
            "RDMA_READ            Y Y - - -",
            "ATOMIC_CMP_AND_SWP   Y Y - - -",
            "ATOMIC_FETCH_AND_ADD Y Y - - -",
            "LOCAL_INV            Y Y Y - -",
            "BIND_MW              Y Y Y - -",
            "FLUSH                Y Y - - -",
            "ATOMIC_WRITE         Y Y - - -",
            "TSO                  - - - - -",
            "DRIVER1              - - - - -");

    private static final List<QpType> TYPES =
            List.of(QpType.RC, QpType.XRC_SEND, QpType.UC, QpType.UD, QpType.XRC_RECV);

    /** A device with a queue pair of some type in RTS, whose peer answers nothing. */
    private static final class Bench implements AutoCloseable {

        final RcPair pair;
        final Side side;
        final QueuePair qp;

        Bench(QpType type, PostingSwitches.IllegalOpcode illegal) {
            DeviceProfile profile = DeviceProfile.STRICT_IBTA.toBuilder()
                    .posting(PostingSwitches.STRICT.toBuilder()
                            .illegalOpcode(illegal)
                            .build())
                    .build();
            pair = RcPair.over(Verbatim.inProcess().profile(profile), QpCapabilities.USUAL);
            side = pair.left;
            qp = create(type);
            Endpoint peer = new Endpoint(pair.right.device.gid(), PEER_QP, 0);
            switch (type) {
                case UC -> {
                    UcConnection.USUAL.readyToReceive(qp, peer);
                    UcConnection.USUAL.readyToSend(qp, 0);
                }
                case UD -> new UdReadiness(7).toRts(qp);
                default -> {
                    RcPair.WITHOUT_TIMER.readyToReceive(qp, peer);
                    RcPair.WITHOUT_TIMER.readyToSend(qp, 0);
                }
            }
            assertState(qp, QpState.RTS);
        }

        private QueuePair create(QpType type) {
            return switch (type) {
                case XRC_SEND -> side.pd.createQp(QpInitAttributes.xrcSend(side.sendCq, QpCapabilities.USUAL));
                case XRC_RECV -> side.device.openXrcDomain().createQp(QpInitAttributes.xrcReceive());
                default ->
                    side.pd.createQp(
                            new QpInitAttributes(type, side.sendCq, side.recvCq, QpCapabilities.USUAL, false, null));
            };
        }

        SendWorkRequest request(WrOpcode opcode) {
            return switch (opcode) {
                case BIND_MW -> {
                    MemoryWindow window = side.pd.allocateWindow(MemoryWindowType.TYPE_2);
                    yield SendWorkRequest.bindWindow(
                            1, window, window.rkey() + 1, BindInfo.of(side.region, AccessFlags.REMOTE_READ));
                }
                case FLUSH ->
                    SendWorkRequest.flush(
                            1, side.address(0), side.rkey(), new FlushTarget(FlushTarget.GLOBAL, FlushTarget.RANGE, 8));
                default -> SendWorkRequest.of(1, opcode, side.address(0), side.rkey(), 1, 2, 3, side.sge(0, 8));
            };
        }

        SendWorkRequest addressed(SendWorkRequest request) {
            return request.to(side.pd.createAddressHandle(AddressVector.to(pair.right.device.gid())), PEER_QP, 7);
        }

        @Override
        public void close() {
            pair.close();
        }
    }

    static List<Arguments> cells() {
        List<Arguments> cells = new ArrayList<>();
        for (String row : TABLE) {
            String[] words = row.split(" +", -1);
            for (int i = 0; i < TYPES.size(); i++) {
                cells.add(Arguments.of(TYPES.get(i), WrOpcode.valueOf(words[0]), words[i + 1].equals("Y")));
            }
        }
        assertThat(cells).hasSize(WrOpcode.values().length * TYPES.size());
        return cells;
    }

    static List<Arguments> legal() {
        return cells().stream()
                .filter(cell -> Objects.equals(cell.get()[2], true))
                .toList();
    }

    static List<Arguments> illegal() {
        return cells().stream()
                .filter(cell -> Objects.equals(cell.get()[2], false))
                .toList();
    }

    private static String ruleOf(QpType type, WrOpcode opcode) {
        return opcode == WrOpcode.SEND_WITH_INV && (type == QpType.UC || type == QpType.UD) ? "MW-90" : "WR-01";
    }

    @ParameterizedTest
    @EnumSource(names = "RAW_PACKET", mode = EnumSource.Mode.EXCLUDE)
    void queuePairNamesTheDomainThatItWasMadeIn(QpType type) {
        try (Bench bench = new Bench(type, PostingSwitches.IllegalOpcode.EINVAL)) {
            assertThat(bench.qp.pd()).isSameAs(type == QpType.XRC_RECV ? null : bench.side.pd);
        }
    }

    @ParameterizedTest
    @MethodSource("legal")
    void opcodeThatTheTypeHasIsTaken(QpType type, WrOpcode opcode, boolean unused) {
        for (PostingSwitches.IllegalOpcode each : PostingSwitches.IllegalOpcode.values()) {
            try (Bench bench = new Bench(type, each)) {
                SendWorkRequest request = bench.request(opcode);
                SendWorkRequest posted = type == QpType.UD ? bench.addressed(request) : request;
                assertThatCode(() -> bench.qp.postSend(posted))
                        .as(String.format(Locale.ROOT, "%s over %s", opcode, type))
                        .doesNotThrowAnyException();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("illegal")
    @Rule({"WR-01", "MW-90"})
    void opcodeThatTheTypeDoesNotHaveIsRefused(QpType type, WrOpcode opcode, boolean unused) {
        try (Bench bench = new Bench(type, PostingSwitches.IllegalOpcode.EINVAL)) {
            SendWorkRequest request = bench.request(opcode);
            assertRefused(
                    Errno.EINVAL,
                    ruleOf(type, opcode),
                    () -> bench.qp.postSend(List.of(request, request)),
                    opcode.name(),
                    type.name());
            assertState(bench.qp, QpState.RTS);
            assertThat(bench.side.sendCq.poll(9)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("illegal")
    @Rule({"WR-01", "MW-90", "WC-31", "QS-06"})
    void opcodeThatTheTypeDoesNotHaveMayFailWhenItsTurnComes(QpType type, WrOpcode opcode, boolean unused) {
        try (Bench bench = new Bench(type, PostingSwitches.IllegalOpcode.CQE)) {
            SendWorkRequest request = bench.request(opcode);
            if (type == QpType.XRC_RECV) {
                // It has no queue that could complete anything.
                assertRefused(Errno.EINVAL, "WR-01", () -> bench.qp.postSend(request), type.name());
                return;
            }
            bench.qp.postSend(List.of(request, request));
            assertThat(bench.side.sent())
                    .hasStatus(WcStatus.LOC_QP_OP_ERR)
                    .hasId(1)
                    .isExplainedBy(ruleOf(type, opcode), opcode.name(), type.name());
            assertThat(bench.side.sent()).hasStatus(WcStatus.WR_FLUSH_ERR);
            assertState(bench.qp, type == QpType.UC || type == QpType.UD ? QpState.SQE : QpState.ERR);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UD", "XRC_RECV"})
    @Rule("MW-16")
    void windowIsNotBoundOverATypeWithoutBinds(QpType type) {
        for (PostingSwitches.IllegalOpcode each : PostingSwitches.IllegalOpcode.values()) {
            try (Bench bench = new Bench(type, each)) {
                MemoryWindow window = bench.side.pd.allocateWindow(MemoryWindowType.TYPE_1);
                int before = window.rkey();
                WindowBind bind = WindowBind.signaled(1, BindInfo.of(bench.side.region, AccessFlags.REMOTE_READ));
                assertRefused(Errno.EINVAL, "MW-16", () -> bench.qp.bindWindow(window, bind), type.name());
                assertThat(window.rkey()).isEqualTo(before);
            }
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.contract.ReliableKind.Connected;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** ATOMIC_WRITE and FLUSH (section J) over RC and XRC, on every fabric. */
@OnEveryFabric
class NewRequestsContractTest {

    private static final int BYTES = 8192;
    private static final int LONG = 5000;
    private static final FlushTarget REGION = new FlushTarget(FlushTarget.GLOBAL, FlushTarget.REGION, 0);

    @Parameter
    FabricKind fabric;

    @AutoClose
    private RcPair pair;

    private Side left;
    private Side right;
    private MemoryRegion target;

    @BeforeEach
    void open() {
        pair = fabric.open(QpCapabilities.USUAL);
        left = pair.left;
        right = pair.right;
        target = right.pd.register(Memory.allocate(BYTES), Side.ALL_RIGHTS | AccessFlags.FLUSH_GLOBAL);
    }

    private static FlushTarget range(int lengthBytes) {
        return new FlushTarget(FlushTarget.GLOBAL, FlushTarget.RANGE, lengthBytes);
    }

    private SendWorkRequest word(long id, long address) {
        return SendWorkRequest.atomicWrite(id, address, target.rkey(), left.sge(0, 8));
    }

    @ParameterizedTest
    @EnumSource(ReliableKind.class)
    @Rule({"NW-01", "ORD-11"})
    void wordIsWrittenBehindWhatComesBeforeAndBeforeWhatComesBehind(ReliableKind kind) {
        Connected over = kind.connect(pair, right.pd);
        for (int round = 1; round <= 8; round++) {
            long value = 0x0101_0101_0101_0101L * round;
            left.bytes().putLong(0, value);
            left.bytes().putLong(LONG, -round);
            over.posts(SendWorkRequest.write(1, target.address(), target.rkey(), left.sge(LONG, LONG)));
            over.posts(SendWorkRequest.read(2, target.address(), target.rkey(), left.sge(20_000, 8)));
            over.posts(word(3, target.address()));
            over.posts(SendWorkRequest.fetchAndAdd(4, target.address(), target.rkey(), 1, left.sge(20_008, 8)));
            over.posts(SendWorkRequest.read(5, target.address(), target.rkey(), left.sge(20_016, 8)));
            for (int id = 1; id <= 5; id++) {
                assertThat(left.sent())
                        .isSuccess()
                        .hasId(id)
                        .hasOpcode(
                                switch (id) {
                                    case 1 -> WcOpcode.RDMA_WRITE;
                                    case 3 -> WcOpcode.ATOMIC_WRITE;
                                    case 4 -> WcOpcode.FETCH_ADD;
                                    default -> WcOpcode.RDMA_READ;
                                });
            }
            assertThat(left.bytes().getLong(20_008)).isEqualTo(value);
            assertThat(left.bytes().getLong(20_016)).isEqualTo(value + 1);
            assertThat(left.bytes().getLong(20_000)).as("not overtaken").isEqualTo(-round);
        }
        assertState(over.receiver(), QpState.RTS);
    }

    @ParameterizedTest
    @EnumSource(ReliableKind.class)
    @Rule({"NW-01", "WC-26", "AE-04"})
    void wordThatIsNotAlignedIsAnInvalidRequest(ReliableKind kind) {
        Connected over = kind.connect(pair, right.pd);
        left.bytes().putLong(0, -1);
        over.posts(word(1, target.address() + 4));
        assertThat(left.sent()).hasStatus(WcStatus.REM_INV_REQ_ERR).hasId(1);
        assertEvent(right.device.getAsyncEvent(Await.LIMIT), EventType.QP_ACCESS_ERR, over.receiver());
        assertState(over.receiver(), QpState.ERR);
        assertState(over.sender(), QpState.ERR);
        assertThat(target.memory().buffer().getLong(0)).isZero();
        assertThat(target.memory().buffer().getLong(8)).isZero();
    }

    @ParameterizedTest
    @EnumSource(ReliableKind.class)
    @Rule({"NW-01", "MR-12", "WC-25"})
    void wordNeedsTheRightToWriteAndNoOther(ReliableKind kind) {
        Connected over = kind.connect(pair, right.pd);
        left.bytes().putLong(0, 5);
        int local = AccessFlags.LOCAL_WRITE;
        target = right.pd.register(Memory.allocate(64), local | AccessFlags.REMOTE_WRITE);
        over.posts(word(1, target.address()));
        assertThat(left.sent()).isSuccess();
        assertThat(target.memory().buffer().getLong(0)).isEqualTo(5);
        target = right.pd.register(Memory.allocate(64), local | AccessFlags.REMOTE_ATOMIC | AccessFlags.REMOTE_READ);
        over.posts(word(2, target.address()));
        assertThat(left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertEvent(right.device.getAsyncEvent(Await.LIMIT), EventType.QP_ACCESS_ERR, over.receiver());
        assertThat(target.memory().buffer().getLong(0)).isZero();
    }

    @ParameterizedTest
    @EnumSource(ReliableKind.class)
    @Rule("NW-02")
    void flushOfARangeOrARegionCompletesWhenWhatWasWrittenIsVisible(ReliableKind kind) {
        Connected over = kind.connect(pair, right.pd);
        for (int round = 1; round <= 8; round++) {
            for (int i = 0; i < LONG; i += 8) {
                left.bytes().putLong(i, round);
            }
            FlushTarget what = round % 2 == 0 ? REGION : range(LONG);
            over.posts(SendWorkRequest.write(1, target.address(), target.rkey(), left.sge(0, LONG))
                    .unsignaled());
            over.posts(SendWorkRequest.flush(2, target.address(), target.rkey(), what));
            assertThat(left.sent()).isSuccess().hasId(2).hasOpcode(WcOpcode.FLUSH);
            for (int i = 0; i < LONG; i += 8) {
                assertThat(target.memory().buffer().getLong(i)).isEqualTo(round);
            }
        }
        over.posts(SendWorkRequest.flush(3, target.address() + BYTES, target.rkey(), range(0)));
        assertThat(left.sent()).isSuccess().hasId(3);
        assertState(over.receiver(), QpState.RTS);
    }

    @ParameterizedTest
    @EnumSource(ReliableKind.class)
    @Rule({"NW-02", "WC-25", "AE-04"})
    void flushNeedsARightOfItsOwn(ReliableKind kind) {
        Connected over = kind.connect(pair, right.pd);
        over.posts(SendWorkRequest.flush(1, right.address(0), right.rkey(), range(0)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(1);
        assertEvent(right.device.getAsyncEvent(Await.LIMIT), EventType.QP_ACCESS_ERR, over.receiver());
        assertState(over.receiver(), QpState.ERR);
    }

    @ParameterizedTest
    @EnumSource(ReliableKind.class)
    @Rule({"NW-02", "MR-22"})
    void flushStaysWithinItsRegion(ReliableKind kind) {
        Connected over = kind.connect(pair, right.pd);
        over.posts(SendWorkRequest.flush(1, target.address() + 1, target.rkey(), range(BYTES)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR).hasId(1);
        assertEvent(right.device.getAsyncEvent(Await.LIMIT), EventType.QP_ACCESS_ERR, over.receiver());
    }

    @ParameterizedTest
    @EnumSource(ReliableKind.class)
    @Rule({"NW-01", "NW-02"})
    void whatCannotBeMeantIsRefusedWhenItIsPosted(ReliableKind kind) {
        Connected over = kind.connect(pair, right.pd);
        long address = target.address();
        int rkey = target.rkey();
        assertRefused(
                Errno.EINVAL,
                "NW-01",
                () -> over.posts(SendWorkRequest.atomicWrite(1, address, rkey, left.sge(0, 4))),
                "of 8 bytes");
        FlushTarget nothing = new FlushTarget(0, FlushTarget.RANGE, 8);
        assertRefused(
                Errno.EINVAL,
                "NW-02",
                () -> over.posts(SendWorkRequest.flush(1, address, rkey, nothing)),
                "placement type=0x0");
        assertState(over.sender(), QpState.RTS);
    }
}

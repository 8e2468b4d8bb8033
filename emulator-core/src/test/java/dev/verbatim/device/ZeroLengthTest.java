// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;

import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where no byte is touched, no key is looked at. */
class ZeroLengthTest {

    private static final int GARBAGE_KEY = 0xdead_beef;

    /** Keys that a zero-length access may name. */
    private enum Key {
        VALID,
        ZERO,
        GARBAGE,
        DEAD,
        OF_ANOTHER_DOMAIN,
        WITHOUT_RIGHTS;

        int of(Side side) {
            return switch (this) {
                case VALID -> side.rkey();
                case ZERO -> 0;
                case GARBAGE -> GARBAGE_KEY;
                case DEAD -> {
                    MemoryRegion dead = side.pd.register(Memory.allocate(64), Side.ALL_RIGHTS);
                    dead.close();
                    yield dead.rkey();
                }
                case OF_ANOTHER_DOMAIN ->
                    side.device
                            .allocatePd()
                            .register(Memory.allocate(64), Side.ALL_RIGHTS)
                            .rkey();
                case WITHOUT_RIGHTS -> side.pd.register(Memory.allocate(64), 0).lkey();
            };
        }
    }

    private final RcPair pair = RcPair.inProcess();

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @EnumSource
    @Rule({"MR-31", "T-17"})
    void zeroLengthWriteAndReadSucceedWhateverTheRemoteKeyAndAddress(Key key) {
        int rkey = key.of(pair.right);
        long[] addresses = {
            pair.right.address(0), pair.right.address(Side.REGION_BYTES), 0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE
        };
        for (long address : addresses) {
            pair.left.qp.postSend(SendWorkRequest.write(1, address, rkey));
            assertThat(pair.left.sent()).isSuccess().hasOpcode(WcOpcode.RDMA_WRITE);
            pair.left.qp.postSend(SendWorkRequest.read(2, address, rkey));
            assertThat(pair.left.sent())
                    .isSuccess()
                    .hasOpcode(WcOpcode.RDMA_READ)
                    .hasByteLength(0);
            pair.right.qp.postRecv(ReceiveWorkRequest.of(3));
            pair.left.qp.postSend(SendWorkRequest.writeWithImmediate(4, address, rkey, 99));
            assertThat(pair.left.sent()).isSuccess();
            assertThat(pair.right.received())
                    .isSuccess()
                    .hasOpcode(WcOpcode.RECV_RDMA_WITH_IMM)
                    .hasByteLength(0);
        }
        assertState(pair.right.qp, QpState.RTS);
    }
}

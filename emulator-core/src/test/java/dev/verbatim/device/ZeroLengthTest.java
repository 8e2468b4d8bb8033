// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
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

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

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

    @Test
    @Rule({"MR-32", "T-17"})
    void elementOfNoBytesMayNameAnyLocalKeyAndAddress() {
        pair.left.bytes().putLong(0, 0x1122334455667788L);
        Sge nothing = new Sge(-1, 0, GARBAGE_KEY);

        pair.right.qp.postRecv(ReceiveWorkRequest.of(1, nothing, pair.right.sge(0, 8), nothing));
        pair.left.qp.postSend(SendWorkRequest.send(2, nothing, pair.left.sge(0, 8), nothing));
        assertThat(pair.left.sent()).isSuccess();
        assertThat(pair.right.received()).isSuccess().hasByteLength(8);

        pair.left.qp.postSend(SendWorkRequest.write(
                3, pair.right.address(8), pair.right.rkey(), nothing, pair.left.sge(0, 8), nothing));
        assertThat(pair.left.sent()).isSuccess();

        pair.left.qp.postSend(SendWorkRequest.read(
                4,
                pair.right.address(0),
                pair.right.rkey(),
                nothing,
                pair.left.sge(16, 8),
                nothing,
                pair.left.sge(24, 8)));
        assertThat(pair.left.sent()).isSuccess().hasByteLength(16);
        org.assertj.core.api.Assertions.assertThat(pair.left.bytes().getLong(16))
                .isEqualTo(pair.left.bytes().getLong(24))
                .isEqualTo(0x1122334455667788L);
    }

    @Test
    @Rule({"MR-32", "T-17"})
    void sendWithoutElementsAndSendOfAnEmptyElementAreTheSame() {
        Sge nothing = new Sge(0, 0, GARBAGE_KEY);
        pair.right.qp.postRecv(ReceiveWorkRequest.of(1));
        pair.right.qp.postRecv(ReceiveWorkRequest.of(2, nothing));
        pair.left.qp.postSend(SendWorkRequest.send(3, nothing));
        pair.left.qp.postSend(SendWorkRequest.send(4));
        assertThat(pair.left.sent()).isSuccess().hasId(3);
        assertThat(pair.left.sent()).isSuccess().hasId(4);
        assertThat(pair.right.received()).isSuccess().hasId(1).hasByteLength(0);
        assertThat(pair.right.received()).isSuccess().hasId(2).hasByteLength(0);

        // A receive that no byte reaches may name memory that it could not use.
        pair.right.qp.postRecv(ReceiveWorkRequest.of(5, new Sge(0, 64, GARBAGE_KEY)));
        pair.left.qp.postSend(SendWorkRequest.send(6));
        assertThat(pair.right.received()).isSuccess().hasId(5).hasByteLength(0);
    }

    @Test
    @Rule({"MR-30", "MR-22"})
    void regionOfNoBytesTakesAccessesOfNoBytesOnly() {
        MemoryRegion empty = pair.right.pd.register(Memory.allocate(64), 8, 0, Side.ALL_RIGHTS);
        pair.left.qp.postSend(SendWorkRequest.write(1, empty.address(), empty.rkey()));
        assertThat(pair.left.sent()).isSuccess();
        pair.left.qp.postSend(SendWorkRequest.write(2, empty.address(), empty.rkey(), pair.left.sge(0, 1)));
        assertThat(pair.left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertState(pair.right.qp, QpState.ERR);
    }

    @Test
    @Rule("MR-30")
    void profileWithoutEmptyRegionsRefusesOne() {
        DeviceProfile profile = DeviceProfile.STRICT_IBTA.toBuilder()
                .name("no empty regions")
                .zeroLengthMr(false)
                .build();
        try (Verbatim rdma = Verbatim.inProcess().profile(profile)) {
            Device device = rdma.open("picky");
            ProtectionDomain pd = device.allocatePd();
            Memory memory = Memory.allocate(64);
            assertRefused(Errno.EINVAL, "MR-30", () -> pd.register(memory, 0, 0, 0), "no empty regions");
            pd.register(memory, 0, 1, 0).close();
            pd.close();
        }
    }
}

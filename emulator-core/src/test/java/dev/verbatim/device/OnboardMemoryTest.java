// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.DeviceMemory;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.ReregistrationError;
import dev.verbatim.verbs.ReregistrationException;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Memory of the device on the right, which the left reaches by its key. */
class OnboardMemoryTest {

    private static final int RIGHTS = Side.ALL_RIGHTS | AccessFlags.ZERO_BASED;

    @AutoClose
    private final RcPair pair = RcPair.over(
                    Verbatim.inProcess().profile(DeviceProfile.LINUX_LIKE), QpCapabilities.USUAL)
            .connect(RcPair.WITHOUT_TIMER);

    private final Side left = pair.left;
    private final Side right = pair.right;
    private final int mostBytes = right.device.queryExtended().maxDeviceMemoryBytes();

    private static ByteBuffer bytes(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    private static ByteBuffer read(DeviceMemory memory, int offset, int count) {
        ByteBuffer target = ByteBuffer.allocate(count);
        memory.read(offset, target);
        return target;
    }

    @Test
    @Rule("DM-01")
    void allIsGivenOutOnceAndAgainWhenItIsFree() {
        assertThat(mostBytes).isPositive();
        DeviceMemory most = right.device.allocateDeviceMemory(mostBytes - 4, 0);
        DeviceMemory rest = right.device.allocateDeviceMemory(4, 12);
        assertThat(rest.lengthBytes()).isEqualTo(4);
        assertRefused(Errno.ENOMEM, "DM-01", () -> right.device.allocateDeviceMemory(1, 0), "max_dm_size=" + mostBytes);
        most.close();
        right.device.allocateDeviceMemory(mostBytes - 4, 0);
    }

    @Rule("DM-01")
    @ParameterizedTest
    @CsvSource({"0, 0", "-1, 0", "4294967300, 0", "64, -1", "64, 13"})
    void numbersOutOfRangeAreRefused(long lengthBytes, int logAlignment) {
        assertRefused(
                Errno.EINVAL, "DM-01", () -> right.device.allocateDeviceMemory(lengthBytes, logAlignment), "not in");
    }

    @Test
    @Rule("DM-01")
    void strictDeviceHasNone() {
        try (RcPair strict = RcPair.inProcess()) {
            assertThat(strict.left.device.queryExtended().maxDeviceMemoryBytes())
                    .isZero();
            assertRefused(
                    Errno.EOPNOTSUPP, "DM-01", () -> strict.left.device.allocateDeviceMemory(64, 0), "STRICT_IBTA");
        }
    }

    @Test
    @Rule("DM-02")
    void copiesStayWithinTheMemoryWhichHoldsZerosAtFirst() {
        DeviceMemory memory = right.device.allocateDeviceMemory(16, 3);
        assertThat(read(memory, 0, 16)).isEqualTo(ByteBuffer.allocate(16));
        ByteBuffer source = bytes(1, 2, 3, 4);
        memory.write(12, source);
        assertThat(source.position()).isZero();
        assertThat(read(memory, 11, 5)).isEqualTo(bytes(0, 1, 2, 3, 4));
        assertRefused(Errno.EFAULT, "DM-02", () -> memory.write(13, source), "dm_offset=13", "16 bytes");
        assertRefused(Errno.EFAULT, "DM-02", () -> read(memory, 1, 16));
        assertRefused(Errno.EFAULT, "DM-02", () -> memory.read(-1, ByteBuffer.allocate(1)));
        assertRefused(Errno.EFAULT, "DM-02", () -> memory.read(Long.MAX_VALUE, ByteBuffer.allocate(1)));
        assertThat(read(memory, 11, 5)).isEqualTo(bytes(0, 1, 2, 3, 4));
        memory.write(16, ByteBuffer.allocate(0));
    }

    @Test
    @Rule("DM-03")
    void peerWritesReadsAndAddsByAddressesFromZero() {
        DeviceMemory memory = right.device.allocateDeviceMemory(64, 3);
        memory.write(16, bytes(9, 8, 7, 6));
        MemoryRegion region = right.pd.register(memory, 16, 32, RIGHTS);
        assertThat(region.address()).isZero();
        left.qp.postSend(SendWorkRequest.read(1, 0, region.rkey(), left.sge(0, 4)));
        assertThat(left.sent()).isSuccess();
        assertThat(left.bytes().slice(0, 4)).isEqualTo(bytes(9, 8, 7, 6));
        left.qp.postSend(SendWorkRequest.write(2, 31, region.rkey(), left.sge(0, 1)));
        assertThat(left.sent()).isSuccess();
        assertThat(read(memory, 46, 3)).isEqualTo(bytes(0, 9, 0));
        left.qp.postSend(SendWorkRequest.fetchAndAdd(3, 8, region.rkey(), 5, left.sge(8, 8)));
        assertThat(left.sent()).isSuccess();
        assertThat(right.pd.register(memory, 0, 64, RIGHTS).sge(24, 8).address())
                .isEqualTo(24);
        left.qp.postSend(SendWorkRequest.write(4, 32, region.rkey(), left.sge(0, 1)));
        assertThat(left.sent()).hasStatus(WcStatus.REM_ACCESS_ERR);
        assertThat(read(memory, 48, 1)).isEqualTo(bytes(0));
    }

    @Test
    @Rule("DM-03")
    void regionNeedsAddressesFromZeroAndARangeInside() {
        DeviceMemory memory = right.device.allocateDeviceMemory(64, 0);
        assertRefused(
                Errno.EINVAL, "DM-03", () -> right.pd.register(memory, 0, 64, AccessFlags.LOCAL_WRITE), "ZERO_BASED");
        assertRefused(Errno.EINVAL, "DM-03", () -> right.pd.register(memory, 1, 64, RIGHTS), "dm_offset=1");
        assertRefused(Errno.EINVAL, "DM-03", () -> right.pd.register(memory, -1, 1, RIGHTS));
        assertRefused(Errno.EINVAL, "DM-03", () -> right.pd.register(memory, 0, -1, RIGHTS));
        assertRefused(Errno.EINVAL, "DM-03", () -> left.pd.register(memory, 0, 64, RIGHTS), "left");
        memory.close();
        assertRefused(Errno.ENOENT, "DM-04", () -> right.pd.register(memory, 0, 64, RIGHTS), "freed before");
    }

    @Test
    @Rule("DM-04")
    void memoryIsBusyWhileARegionLiesOnItAndThatStaysAsItIs() {
        DeviceMemory memory = right.device.allocateDeviceMemory(64, 0);
        MemoryRegion region = right.pd.register(memory, 0, 64, RIGHTS);
        assertRefused(Errno.EBUSY, "DM-04", memory::close, "regions=1");
        assertThatThrownBy(() -> region.reregister(AccessFlags.LOCAL_WRITE))
                .isInstanceOfSatisfying(ReregistrationException.class, refused -> {
                    assertThat(refused.error()).isEqualTo(ReregistrationError.CMD);
                    assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
                });
        left.qp.postSend(SendWorkRequest.write(1, 0, region.rkey(), left.sge(0, 8)));
        assertThat(left.sent()).isSuccess();
        region.close();
        memory.close();
        assertRefused(Errno.ENOENT, "DM-04", memory::close, "freed before");
        assertRefused(Errno.ENOENT, "DM-04", () -> read(memory, 0, 1), "freed before");
    }

    @Test
    @Rule("PD-07")
    void deviceIsBusyWithMemoryAndTakesItAlong() {
        try (Verbatim rdma = Verbatim.inProcess().profile(DeviceProfile.LINUX_LIKE)) {
            var device = rdma.open("one");
            DeviceMemory memory = device.allocateDeviceMemory(64, 0);
            assertRefused(Errno.EBUSY, "PD-07", device::close, "device memories=1");
            device.closeAll();
            assertRefused(Errno.ENOENT, "DM-04", memory::close);
        }
    }
}

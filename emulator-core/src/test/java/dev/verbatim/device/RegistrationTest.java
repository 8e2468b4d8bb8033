// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Rkey;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What can be registered, and what the device says of the rest (section A.2). */
class RegistrationTest {

    private static final int BYTES = 256;

    @AutoClose
    private final Verbatim rdma = Verbatim.inProcess().tap(new RecordingTap());

    private final ProtectionDomain pd = rdma.open("device").allocatePd();
    private final Memory memory = Memory.allocate(BYTES);

    @Test
    @Rule("MR-01")
    void unknownAccessBitIsRefusedAndNamed() {
        for (int bit : new int[] {10, 19, 30, 31}) {
            assertRefused(
                    Errno.EINVAL,
                    "MR-01",
                    () -> pd.register(memory, AccessFlags.LOCAL_WRITE | 1 << bit),
                    "unknown bits 0x" + Integer.toHexString(1 << bit));
        }
    }

    @Test
    @Rule("MR-02")
    void optionalAccessBitThatTheDeviceLacksIsIgnored() {
        for (int bit = 20; bit < 30; bit++) {
            MemoryRegion region = pd.register(memory, AccessFlags.REMOTE_READ | 1 << bit);
            assertThat(region.rkey()).isNotZero();
            region.close();
        }
        asserted();
    }

    @Test
    @Rule({"MR-03", "MR-04"})
    void remoteRightThatWritesIsRefusedWithoutLocalWrite() {
        assertRefused(
                Errno.EINVAL,
                "MR-03",
                () -> pd.register(memory, AccessFlags.REMOTE_WRITE),
                "access=REMOTE_WRITE",
                "add LOCAL_WRITE");
        assertRefused(
                Errno.EINVAL,
                "MR-04",
                () -> pd.register(memory, AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC),
                "access=REMOTE_READ|REMOTE_ATOMIC",
                "has REMOTE_ATOMIC without LOCAL_WRITE");
    }

    @Test
    @Rule({"MR-05", "MR-06", "MR-70"})
    void rightThatTheDeviceLacksIsNotSupported() {
        assertRefused(Errno.EOPNOTSUPP, "MR-05", () -> pd.register(memory, AccessFlags.ON_DEMAND), "ON_DEMAND");
        try (Verbatim without = Verbatim.inProcess().profile(DeviceProfile.RXE_LIKE)) {
            ProtectionDomain old = without.open("old").allocatePd();
            for (int right : new int[] {AccessFlags.FLUSH_GLOBAL, AccessFlags.FLUSH_PERSISTENT}) {
                assertRefused(
                        Errno.EOPNOTSUPP,
                        "MR-06",
                        () -> old.register(memory, AccessFlags.LOCAL_WRITE | right),
                        "support " + AccessFlags.describe(right));
            }
        }
        assertRefused(
                Errno.EOPNOTSUPP, "MR-70", () -> pd.registerIova(memory, 0, -1, 0, AccessFlags.ON_DEMAND), "ON_DEMAND");
    }

    @Test
    @Rule("MR-08")
    void rangeOutsideTheMemoryIsRefused() {
        int[][] ranges = {{-1, 1}, {0, BYTES + 1}, {1, BYTES}, {BYTES + 1, 0}, {Integer.MAX_VALUE, Integer.MAX_VALUE}};
        for (int[] range : ranges) {
            assertRefused(
                    Errno.EINVAL,
                    "MR-08",
                    () -> pd.register(memory, range[0], range[1], 0),
                    "offset=" + range[0],
                    "lengthBytes=" + range[1],
                    BYTES + " bytes");
        }
        pd.register(memory, BYTES, 0, 0).close();
        pd.register(memory, 1, BYTES - 1, 0).close();
    }

    @Test
    @Rule("MR-08")
    void rangeThatPassesTheEndOf64BitsIsRefused() {
        assertRefused(
                Errno.EINVAL,
                "MR-08",
                () -> pd.registerIova(memory, 0, BYTES, -BYTES + 1, 0),
                "iova=0xffffffffffffff01",
                "passes the end of 64 bits");
        assertThat(pd.registerIova(memory, 0, BYTES, -BYTES, 0).address()).isEqualTo(-BYTES);
    }

    @Test
    @Rule("MR-16")
    void oneRegionMoreThanTheDeviceOffersIsRefusedUntilOneIsFreed() {
        DeviceLimits limits = DeviceLimits.DEFAULT.toBuilder().maxMr(3).build();
        DeviceProfile small =
                DeviceProfile.STRICT_IBTA.toBuilder().limits(limits).build();
        ProtectionDomain narrow = rdma.profile(small).open("small").allocatePd();
        assertThat(narrow.device().query().maxMr()).isEqualTo(3);
        MemoryRegion first = narrow.register(memory, 0);
        narrow.register(memory, 0);
        narrow.register(memory, 0);
        assertRefused(Errno.ENOMEM, "MR-16", () -> narrow.register(memory, 0), "max_mr=3");
        first.close();
        narrow.register(memory, 0);
        assertRefused(Errno.ENOMEM, "MR-16", () -> narrow.register(memory, 0));
    }

    @Test
    @Rule("MR-16")
    void lengthAboveTheLargestRegionIsRefused() {
        long largest = pd.device().query().maxMrSizeBytes();
        assertRefused(
                Errno.EINVAL,
                "MR-16",
                () -> pd.register(memory, 0, largest + 1, 0),
                "0.." + largest + " (max_mr_size)");
    }

    @Test
    @Rule("MR-17")
    void readOnlyMemoryIsRefusedWithLocalWriteOnly() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES).putLong(0, 42).asReadOnlyBuffer();
        assertRefused(
                Errno.EINVAL, "MR-17", () -> pd.register(buffer, AccessFlags.LOCAL_WRITE), "read-only", "LOCAL_WRITE");
        MemoryRegion region = pd.register(buffer, AccessFlags.REMOTE_READ);
        assertThat(region.lengthBytes()).isEqualTo(BYTES);
    }

    @Test
    @Rule("N-03")
    void heapBufferIsRefused() {
        assertRefused(
                Errno.EINVAL,
                "N-03",
                () -> pd.register(ByteBuffer.allocate(BYTES), AccessFlags.LOCAL_WRITE),
                "256 bytes",
                "allocateDirect");
    }

    @Test
    @Rule("WR-37")
    void memoryThatDisagreesWithItsAddressAboutAlignmentTakesNoAtomics() {
        int rights = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_ATOMIC;
        assertRefused(
                Errno.EINVAL,
                "WR-37",
                () -> pd.registerIova(memory, 0, BYTES, 0x1004, rights),
                "REMOTE_ATOMIC",
                "0x1004");
        pd.registerIova(memory, 4, BYTES - 4, 0x1004, rights).close();
        pd.registerIova(memory, 0, 0, 0x1004, rights).close();
        pd.registerIova(memory, 0, BYTES, 0x1004, AccessFlags.LOCAL_WRITE).close();
        ByteBuffer odd = ByteBuffer.allocateDirect(BYTES).position(3).slice();
        assertThat(pd.register(odd, rights).address() & 7).isEqualTo(odd.alignmentOffset(0, 8));
    }

    @Test
    @Rule("MR-13")
    void remoteKeyHasTheIndexOfTheLocalKeyAndIsZeroWithoutRemoteRights() {
        MemoryRegion shared = pd.register(memory, AccessFlags.REMOTE_READ);
        assertThat(shared.rkey() >>> 8).isEqualTo(shared.lkey() >>> 8);
        assertThat(shared.rkey()).isNotEqualTo(shared.lkey());
        assertThat(pd.register(memory, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND)
                        .rkey())
                .isZero();

        DeviceProfile equal =
                DeviceProfile.STRICT_IBTA.toBuilder().lkeyEqualsRkey(true).build();
        ProtectionDomain other = rdma.profile(equal).open("equal").allocatePd();
        for (int access : new int[] {0, AccessFlags.REMOTE_READ}) {
            MemoryRegion region = other.register(memory, access);
            assertThat(region.rkey()).isEqualTo(region.lkey());
        }

        DeviceProfile always =
                DeviceProfile.STRICT_IBTA.toBuilder().rkeyWithoutRights(true).build();
        MemoryRegion unshared = rdma.profile(always).open("always").allocatePd().register(memory, 0);
        assertThat(unshared.rkey()).isEqualTo(Rkey.increment(unshared.lkey()));
        asserted();
    }

    @Test
    @Rule("MR-03")
    void refusedRegistrationLeavesNothingBehind() {
        for (int i = 0; i < 3; i++) {
            assertRefused(Errno.EINVAL, "MR-03", () -> pd.register(memory, AccessFlags.REMOTE_WRITE));
        }
        pd.close();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.testing.SparseMemory;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.OnDemandCapabilities;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions with ON_DEMAND on a device that has it, and advice about them. */
class OnDemandPagingTest {

    private static final int RIGHTS = Side.ALL_RIGHTS | AccessFlags.ON_DEMAND;

    @AutoClose
    private final RcPair pair = RcPair.over(
                    Verbatim.inProcess().profile(DeviceProfile.LINUX_LIKE), QpCapabilities.USUAL)
            .connect(RcPair.WITHOUT_TIMER);

    private final Side left = pair.left;
    private final Side right = pair.right;
    private final Memory memory = Memory.allocate(4096);
    private final MemoryRegion region = right.pd.register(memory, RIGHTS);

    private static void prefetch(ProtectionDomain pd, Sge... elements) {
        pd.advise(ProtectionDomain.ADVICE_PREFETCH, ProtectionDomain.ADVICE_FLUSH, List.of(elements));
    }

    @Test
    @Rule("MR-73")
    void regionServesOperationsAndTheDeviceSaysWhich() {
        left.bytes().putLong(0, 77);
        left.qp.postSend(SendWorkRequest.write(1, region.address() + 8, region.rkey(), left.sge(0, 8)));
        assertThat(left.sent()).isSuccess();
        assertThat(memory.buffer().getLong(8)).isEqualTo(77);
        left.qp.postSend(SendWorkRequest.fetchAndAdd(2, region.address() + 8, region.rkey(), 1, left.sge(8, 8)));
        assertThat(left.sent()).isSuccess();
        assertThat(memory.buffer().getLong(8)).isEqualTo(78);
        OnDemandCapabilities said = right.device.queryExtended().onDemand();
        assertThat(said.general()).isEqualTo(OnDemandCapabilities.SUPPORTED | OnDemandCapabilities.IMPLICIT);
        assertThat(said.rc()).isEqualTo(0x3f);
        assertThat(said.xrc()).isEqualTo(0x3f);
        assertThat(said.uc() & (OnDemandCapabilities.READ | OnDemandCapabilities.ATOMIC))
                .isZero();
        assertThat(said.ud() & OnDemandCapabilities.WRITE).isZero();
    }

    @Test
    @Rule({"MR-73", "MR-74"})
    void oneRegionIsTheWholeAddressSpaceAndCostsWhatIsTouched(@TempDir Path directory) {
        try (SparseMemory bytes = new SparseMemory(directory)) {
            MemoryRegion all = right.pd.register(Memory.at(0, 1L << 47, bytes), RIGHTS);
            assertThat(all.address()).isZero();
            long somewhere = 5L * Memory.STRIDE_BYTES + 16;
            left.bytes().putLong(0, 77);
            left.qp.postSend(SendWorkRequest.write(1, somewhere, all.rkey(), left.sge(0, 8)));
            assertThat(left.sent()).isSuccess();
            assertThat(all.memory().buffer(somewhere, 8).getLong(0)).isEqualTo(77);
            prefetch(right.pd, new Sge(0x7fff_ffff_f000L, 4096, all.lkey()));
            all.close();
        }
    }

    @Test
    @Rule("MR-72")
    void strictDeviceSaysThatItHasNone() {
        try (RcPair strict = RcPair.inProcess()) {
            assertThat(strict.left.device.queryExtended().onDemand()).isEqualTo(OnDemandCapabilities.NONE);
            assertRefused(Errno.EOPNOTSUPP, "MR-72", () -> prefetch(strict.left.pd, strict.left.sge(0, 8)));
        }
    }

    @Test
    @Rule("MR-74")
    void adviceIsTakenForRangesOfRegionsOnDemand() {
        prefetch(right.pd, region.sge(0, 4096), region.sge(4096, 0));
        prefetch(right.pd);
        right.pd.advise(ProtectionDomain.ADVICE_PREFETCH_WRITE, 0, List.of(region.sge(8, 8)));
        right.pd.advise(ProtectionDomain.ADVICE_PREFETCH_NO_FAULT, 0, List.of(region.sge(8, 8)));
        asserted();
    }

    @Rule("MR-74")
    @ParameterizedTest
    @ValueSource(ints = {-1, 3, 99})
    void unknownAdviceIsRefused(int advice) {
        assertRefused(
                Errno.EOPNOTSUPP,
                "MR-74",
                () -> right.pd.advise(advice, 0, List.of(region.sge(0, 8))),
                "advice=" + advice);
    }

    @Test
    @Rule("MR-74")
    void adviceIsRefusedWhereItDoesNotApply() {
        assertRefused(
                Errno.EINVAL,
                "MR-74",
                () -> right.pd.advise(ProtectionDomain.ADVICE_PREFETCH, 2, List.of()),
                "flags=0x2");
        assertRefused(
                Errno.ENOENT, "MR-74", () -> prefetch(right.pd, new Sge(memory.address(), 8, 0x77)), "0x00000077");
        assertRefused(Errno.ENOENT, "MR-74", () -> prefetch(right.pd, right.sge(0, 8)), "ON_DEMAND");
        ProtectionDomain other = right.device.allocatePd();
        assertRefused(Errno.EPERM, "MR-74", () -> prefetch(other, region.sge(0, 8)), "pd 2");
        MemoryRegion readOnly = right.pd.register(memory, AccessFlags.ON_DEMAND);
        prefetch(right.pd, readOnly.sge(0, 8));
        assertRefused(
                Errno.EPERM,
                "MR-74",
                () -> right.pd.advise(ProtectionDomain.ADVICE_PREFETCH_WRITE, 0, List.of(readOnly.sge(0, 8))),
                "LOCAL_WRITE");
        assertRefused(
                Errno.EFAULT,
                "MR-74",
                () -> prefetch(right.pd, region.sge(0, 8), new Sge(region.address() + 4090, 8, region.lkey())),
                "8 bytes");
    }
}

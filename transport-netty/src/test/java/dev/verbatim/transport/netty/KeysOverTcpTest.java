// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Strangers reach a device over TCP, so its keys are random unless somebody wants to read them. */
class KeysOverTcpTest {

    private static final List<Integer> READABLE = List.of(0x102, 0x202, 0x302);

    private static List<Integer> firstKeys(DeviceProfile profile, LongSupplier randomness) {
        NettyFabric fabric = NettyFabric.open(NettyOptions.defaults().withRandomness(randomness));
        try (Verbatim rdma = Verbatim.over(fabric).tap(RuleCoverage::observe).profile(profile)) {
            ProtectionDomain pd = rdma.open("keys", 7).allocatePd();
            List<Integer> keys = new ArrayList<>();
            for (int i = 0; i < READABLE.size(); i++) {
                keys.add(
                        pd.register(Memory.allocate(8), AccessFlags.REMOTE_READ).rkey());
            }
            return keys;
        }
    }

    @Test
    @Rule("KEY-P6")
    void whoSaysNothingGetsRandomKeysFromADrawnSeed() {
        List<Integer> keys = firstKeys(DeviceProfile.STRICT_IBTA, () -> 5);
        assertThat(keys).isNotEqualTo(READABLE).doesNotHaveDuplicates();
        assertThat(firstKeys(DeviceProfile.STRICT_IBTA, () -> 5)).isEqualTo(keys);
        assertThat(firstKeys(DeviceProfile.STRICT_IBTA, () -> 6)).doesNotContainAnyElementsOf(keys);
        assertThat(firstKeys(DeviceProfile.MLX5_LIKE, () -> 5)).isNotEqualTo(READABLE);
        asserted();
    }

    @Test
    @Rule("KEY-P6")
    void aSeedOfOnesOwnIsHeard() {
        DeviceProfile seeded =
                DeviceProfile.STRICT_IBTA.toBuilder().randomKeys(11).build();
        assertThat(firstKeys(seeded, () -> 5)).isEqualTo(firstKeys(seeded, () -> 6));
        asserted();
    }

    @Test
    void whoWantsToReadKeysCan() {
        DeviceProfile readable =
                DeviceProfile.STRICT_IBTA.toBuilder().sequentialKeys().build();
        assertThat(firstKeys(readable, () -> 5)).isEqualTo(READABLE);
    }
}

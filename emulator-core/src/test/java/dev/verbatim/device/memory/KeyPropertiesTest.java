// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Rkey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * Keys under any sequence of registrations and deregistrations, on devices so small that their indexes are used again
 * and again; beside the device a model that only remembers what was given out.
 */
class KeyPropertiesTest {

    private static final int VARIANTS = 256;

    /** What is known of the keys of a device from outside. */
    private static final class Model {

        private final List<MemoryRegion> live = new ArrayList<>();
        private final Set<Integer> everIssued = new TreeSet<>();
        private final Map<Integer, Deque<Integer>> issuedAtIndex = new TreeMap<>();

        void registered(MemoryRegion region) {
            live.add(region);
            issued(region.lkey());
            if (region.rkey() != 0 && region.rkey() != region.lkey()) {
                issued(region.rkey());
            }
        }

        private void issued(int key) {
            Deque<Integer> before = issuedAtIndex.computeIfAbsent(key >>> 8, unused -> new ArrayDeque<>());
            assertThat(before.stream().limit(VARIANTS - 1))
                    .as("the last 255 keys of index 0x%x (KEY-P3, KEY-P5)", key >>> 8)
                    .doesNotContain(key);
            before.addFirst(key);
            everIssued.add(key);
        }

        Set<Integer> liveKeys() {
            Set<Integer> keys = new TreeSet<>();
            for (MemoryRegion region : live) {
                assertThat(keys.add(region.lkey()))
                        .as("lkey of %s is its own (KEY-P1)", region)
                        .isTrue();
                if (region.rkey() != 0 && region.rkey() != region.lkey()) {
                    assertThat(keys.add(region.rkey()))
                            .as("rkey of %s is its own (KEY-P1)", region)
                            .isTrue();
                }
            }
            return keys;
        }

        void assertAgrees(KeyTable table) {
            Set<Integer> liveKeys = liveKeys();
            for (MemoryRegion region : live) {
                assertThat(region.lkey() >>> 8).as("index (KEY-P7)").isPositive();
                EmulatedMemoryRegion known = ((RegionHandle) region).now();
                assertThat(table.byLocalKey(region.lkey())).isSameAs(known);
                assertThat(table.byRemoteKey(region.rkey())).isSameAs(region.rkey() == 0 ? null : known);
            }
            for (int index : issuedAtIndex.keySet()) {
                for (int key = index << 8; key < index + 1 << 8; key++) {
                    assertThat(liveKeys.contains(key) || table.history().explain(key) != null)
                            .as("key 0x%08x is known, dead or alive", key)
                            .isEqualTo(everIssued.contains(key));
                }
            }
            for (int key : everIssued) {
                if (!liveKeys.contains(key)) {
                    assertThat(table.byLocalKey(key))
                            .as("dead key 0x%08x (KEY-P2)", key)
                            .isNull();
                    assertThat(table.byRemoteKey(key))
                            .as("dead key 0x%08x (KEY-P2)", key)
                            .isNull();
                }
            }
        }
    }

    @Provide
    Arbitrary<List<Integer>> steps() {
        return Arbitraries.integers()
                .between(0, 1000)
                .list()
                .ofMaxSize(1200)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    /** Registers for even steps as long as there is room, and deregisters for odd ones as long as there is something. */
    private static void run(DeviceProfile.Builder profile, int maxMr, List<Integer> steps) {
        DeviceLimits limits = DeviceLimits.DEFAULT.toBuilder().maxMr(maxMr).build();
        try (Verbatim rdma = Verbatim.inProcess()
                .tap(RuleCoverage::observe)
                .profile(profile.limits(limits).build())) {
            EmulatedDevice device = (EmulatedDevice) rdma.open("small");
            ProtectionDomain pd = device.allocatePd();
            Memory memory = Memory.allocate(8);
            Model model = new Model();
            for (int step : steps) {
                boolean remove = model.live.size() == maxMr || (step & 1) == 1 && !model.live.isEmpty();
                if (remove) {
                    model.live.remove(step % model.live.size()).close();
                } else {
                    model.registered(pd.register(memory, (step & 2) == 0 ? AccessFlags.REMOTE_READ : 0));
                }
                model.liveKeys();
            }
            model.assertAgrees(device.memory().keys());
            asserted();
        }
    }

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
    @Rule({"KEY-01", "KEY-05", "KEY-P1", "KEY-P2", "KEY-P3", "KEY-P5", "KEY-P7"})
    void keysAreUniqueDieForGoodAndComeBackLate(
            @ForAll @IntRange(min = 1, max = 5) int maxMr, @ForAll("steps") List<Integer> steps) {
        run(DeviceProfile.STRICT_IBTA.toBuilder(), maxMr, steps);
    }

    @Property(tries = 40, edgeCases = EdgeCasesMode.NONE)
    @Rule({"KEY-P1", "KEY-P2", "KEY-P3", "KEY-P5", "KEY-P7", "MR-13"})
    void equalKeysAreUniqueDieForGoodAndComeBackLate(
            @ForAll @IntRange(min = 1, max = 5) int maxMr, @ForAll("steps") List<Integer> steps) {
        run(DeviceProfile.STRICT_IBTA.toBuilder().lkeyEqualsRkey(true), maxMr, steps);
    }

    @Property(tries = 8, edgeCases = EdgeCasesMode.NONE)
    @Rule({"KEY-P6", "KEY-05"})
    void keysInRandomOrderKeepTheOtherProperties(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int maxMr, @ForAll("steps") List<Integer> steps) {
        run(DeviceProfile.STRICT_IBTA.toBuilder().randomKeys(seed), maxMr, steps);
    }

    @Test
    @Rule({"KEY-P3", "KEY-P5", "KEY-P2"})
    void indexThatIsUsedAgainTurnsThroughAllVariants() {
        try (Verbatim rdma = Verbatim.inProcess().tap(RuleCoverage::observe)) {
            DeviceLimits one = DeviceLimits.DEFAULT.toBuilder().maxMr(1).build();
            rdma.profile(DeviceProfile.STRICT_IBTA.toBuilder().limits(one).build());
            EmulatedDevice device = (EmulatedDevice) rdma.open("tiny");
            ProtectionDomain pd = device.allocatePd();
            List<Integer> keys = new ArrayList<>();
            for (int i = 0; i < VARIANTS; i++) {
                MemoryRegion region = pd.register(Memory.allocate(8), 0);
                keys.forEach(old ->
                        assertThat(device.memory().keys().byLocalKey(old)).isNull());
                keys.add(region.lkey());
                region.close();
            }
            assertThat(keys).doesNotHaveDuplicates().allMatch(key -> key >>> 8 == 1);
            assertThat(pd.register(Memory.allocate(8), 0).lkey()).isEqualTo(keys.get(0));
            asserted();
        }
    }

    @Test
    @Rule("KEY-P6")
    void randomOrderOfIndexesCannotBeForeseen() {
        int asCounted = 0;
        int neighbours = 0;
        Set<Integer> first = new TreeSet<>();
        for (long seed = 0; seed < 100; seed++) {
            try (Verbatim rdma = Verbatim.inProcess()
                    .tap(RuleCoverage::observe)
                    .profile(DeviceProfile.STRICT_IBTA.toBuilder()
                            .randomKeys(seed)
                            .build())) {
                ProtectionDomain pd = rdma.open("random").allocatePd();
                int one = pd.register(Memory.allocate(8), 0).lkey() >>> 8;
                int two = pd.register(Memory.allocate(8), 0).lkey() >>> 8;
                first.add(one);
                asCounted += one == 1 ? 1 : 0;
                neighbours += Math.abs(two - one) == 1 ? 1 : 0;
            }
        }
        assertThat(first).as("first indexes of 100 seeds").hasSizeGreaterThan(95);
        assertThat(asCounted).isZero();
        assertThat(neighbours).isZero();
        asserted();
    }

    /** However small a device is, its random keys have all indexes of their kind. */
    @Test
    @LongTest
    void randomIndexComesBackWithTheNextVariantAfterAllOthersOfItsKind() {
        DeviceLimits one = DeviceLimits.DEFAULT.toBuilder().maxMr(1).maxMw(1).build();
        DeviceProfile profile =
                DeviceProfile.STRICT_IBTA.toBuilder().limits(one).randomKeys(5).build();
        try (Verbatim rdma = Verbatim.inProcess().profile(profile)) {
            ProtectionDomain pd = rdma.open("small").allocatePd();
            Memory memory = Memory.allocate(8);
            int[] keys = new int[KeyTable.FIRST_WINDOW_INDEX];
            BitSet indexes = new BitSet();
            for (int i = 0; i < keys.length; i++) {
                MemoryRegion region = pd.register(memory, 0);
                keys[i] = region.lkey();
                indexes.set(keys[i] >>> 8);
                region.close();
            }
            int last = keys.length - 1;
            assertThat(indexes.cardinality()).isEqualTo(last);
            assertThat(indexes.nextSetBit(0)).isEqualTo(1);
            assertThat(indexes.length()).isEqualTo(KeyTable.FIRST_WINDOW_INDEX);
            assertThat(keys[last]).isEqualTo(Rkey.increment(keys[0]));
        }
    }

    @Property(tries = 500)
    void scatteredOrderIsPermutation(
            @ForAll @IntRange(max = 100) int first,
            @ForAll @IntRange(min = 1, max = 3000) int count,
            @ForAll long seed) {
        SeededPermutation order = new SeededPermutation(first, first + count - 1, seed);
        BitSet seen = new BitSet();
        for (int i = first; i < first + count; i++) {
            seen.set(order.applyAsInt(i));
        }
        assertThat(seen.cardinality()).isEqualTo(count);
        assertThat(seen.nextSetBit(0)).isEqualTo(first);
        assertThat(seen.length()).isEqualTo(first + count);
    }
}

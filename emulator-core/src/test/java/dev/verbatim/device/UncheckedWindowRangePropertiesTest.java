// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;

/**
 * Windows bound to any range, as MLX5_LIKE takes them: whatever is asked for through one is inside the window and inside the
 * region, or it is refused and no byte is touched. Beside the device the same in integers without end.
 */
class UncheckedWindowRangePropertiesTest {

    private static final int MEMORY_BYTES = 512;
    private static final int FIRST = 128;
    private static final int REGION_BYTES = 256;
    private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(Long.SIZE);

    /** Mostly about where the region begins or ends, now and then anywhere. */
    @Provide
    Arbitrary<Long> places() {
        return Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.longs().between(-300, 600)), Tuple.of(1, Arbitraries.longs()));
    }

    @Provide
    Arbitrary<Long> lengths() {
        return Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.longs().between(1, 600)),
                Tuple.of(1, Arbitraries.longs().between(1, Long.MAX_VALUE)));
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    private static boolean isInside(BigInteger begin, BigInteger length, BigInteger from, int count) {
        BigInteger end = from.add(BigInteger.valueOf(count));
        return from.compareTo(begin) >= 0 && end.compareTo(begin.add(length)) <= 0 && end.compareTo(TWO_TO_64) <= 0;
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    @Rule({"MW-57", "MW-107", "MR-23"})
    void accessIsWithinWindowAndRegionOrTouchesNothing(
            @ForAll("places") long windowPlace,
            @ForAll("lengths") long windowBytes,
            @ForAll("places") long accessPlace,
            @ForAll @IntRange(min = 1, max = 64) int count,
            @ForAll boolean zeroBased) {
        Statistics.label("allowed").collect(tryOne(windowPlace, windowBytes, accessPlace, count, zeroBased));
    }

    @Test
    @Rule("MW-57")
    void windowThatPassesTheEndOfAddressesDoesNotComeOutAtTheBeginning() {
        assertThat(tryOne(-(1L << 48), Long.MAX_VALUE, 8, 8, true)).isFalse();
    }

    private static boolean tryOne(long windowPlace, long windowBytes, long accessPlace, int count, boolean zeroBased) {
        DeviceProfile profile = DeviceProfile.STRICT_IBTA.toBuilder()
                .windows(DeviceProfile.MLX5_LIKE.windows().toBuilder()
                        .zeroBased(true)
                        .build())
                .build();
        try (RcPair pair = RcPair.over(Verbatim.inProcess().profile(profile), QpCapabilities.USUAL)
                .connect(RcPair.WITHOUT_TIMER)) {
            Memory memory = Memory.allocate(MEMORY_BYTES);
            MemoryRegion region =
                    pair.right.pd.register(memory, FIRST, REGION_BYTES, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
            long begin = region.address() + windowPlace;
            int access = AccessFlags.REMOTE_WRITE | (zeroBased ? AccessFlags.ZERO_BASED : 0);
            SendWorkRequest bind = SendWorkRequest.bindWindow(
                    1,
                    pair.right.pd.allocateWindow(MemoryWindowType.TYPE_2),
                    0x41,
                    new BindInfo(region, begin, windowBytes, access));
            pair.right.qp.postSend(bind);
            assertThat(pair.right.sent()).isSuccess();

            long first = zeroBased ? 0 : begin;
            long from = region.address() + accessPlace - begin + first;
            for (int i = 0; i < count; i++) {
                pair.left.bytes().put(i, (byte) 1);
            }
            pair.left.qp.postSend(SendWorkRequest.write(2, from, bind.boundKey(), pair.left.sge(0, count)));
            WcStatus status = pair.left.sent().status();

            BigInteger inRegion = unsigned(begin).add(unsigned(from)).subtract(unsigned(first));
            boolean allowed = isInside(unsigned(first), BigInteger.valueOf(windowBytes), unsigned(from), count)
                    && isInside(unsigned(region.address()), BigInteger.valueOf(REGION_BYTES), inRegion, count);
            assertThat(status).isEqualTo(allowed ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR);
            int placed = allowed
                    ? FIRST + inRegion.subtract(unsigned(region.address())).intValueExact()
                    : -count;
            for (int i = 0; i < MEMORY_BYTES; i++) {
                assertThat(memory.buffer().get(i)).as("byte %d", i).isEqualTo((byte)
                        (i >= placed && i < placed + count ? 1 : 0));
            }
            asserted();
            return allowed;
        }
    }
}

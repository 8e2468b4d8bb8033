// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every combination of access flags on a device without FLUSH, held against the table of section A.2 written down once more. */
class RegistrationFlagsTest {

    private static final int DEFINED_BITS = 10;

    /** Sets of bits beyond the defined ones: none, optional ones, and unknown ones at every edge. */
    private static final int[] FURTHER_BITS = {0, 1 << 20, 1 << 29, 0x3ff00000, 1 << 10, 1 << 19 | 1 << 20, 1 << 31};

    /** A row of the table: the outcome of the first row that fits is the outcome. */
    private record Row(String rule, Errno errno, IntPredicate fits) {}

    private static final List<Row> TABLE = List.of(
            new Row("MR-01", Errno.EINVAL, access -> unknownBit(access)),
            new Row("MR-03", Errno.EINVAL, access -> bit(access, 1) && !bit(access, 0)),
            new Row("MR-04", Errno.EINVAL, access -> bit(access, 3) && !bit(access, 0)),
            new Row("MR-05", Errno.EOPNOTSUPP, access -> bit(access, 6)),
            new Row("MR-06", Errno.EOPNOTSUPP, access -> bit(access, 8) || bit(access, 9)));

    private static boolean bit(int access, int number) {
        return (access >> number & 1) == 1;
    }

    private static boolean unknownBit(int access) {
        return IntStream.range(DEFINED_BITS, 32)
                .filter(number -> number < 20 || number > 29)
                .anyMatch(number -> bit(access, number));
    }

    @Test
    @Rule({"MR-01", "MR-02", "MR-03", "MR-04", "MR-05", "MR-06"})
    void eachCombinationOfFlagsHasTheOutcomeOfTheFirstRowThatFits() {
        DeviceProfile withoutFlush =
                DeviceProfile.STRICT_IBTA.toBuilder().flush(false).build();
        try (Verbatim rdma = Verbatim.inProcess().profile(withoutFlush).tap(RuleCoverage::observe)) {
            ProtectionDomain pd = rdma.open("device").allocatePd();
            Memory memory = Memory.allocate(64);
            for (int further : FURTHER_BITS) {
                for (int defined = 0; defined < 1 << DEFINED_BITS; defined++) {
                    assertOutcome(pd, memory, defined | further);
                }
            }
        }
    }

    private static void assertOutcome(ProtectionDomain pd, Memory memory, int access) {
        Optional<Row> expected =
                TABLE.stream().filter(row -> row.fits().test(access)).findFirst();
        if (expected.isPresent()) {
            Row row = expected.get();
            assertRefused(row.errno(), row.rule(), () -> pd.register(memory, access));
            return;
        }
        MemoryRegion region = pd.register(memory, access);
        boolean remote = bit(access, 1) || bit(access, 2) || bit(access, 3);
        assertThat(region.rkey() != 0).as("rkey of %s", region).isEqualTo(remote);
        assertThat(region.lkey()).as("lkey of %s", region).isNotZero();
        assertThat(region.address()).as("address of %s", region).isEqualTo(bit(access, 5) ? 0 : memory.address());
        region.close();
        asserted();
    }
}

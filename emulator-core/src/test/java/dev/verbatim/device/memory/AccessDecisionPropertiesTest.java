// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.EmulatedProtectionDomain;
import dev.verbatim.device.context.Allowed;
import dev.verbatim.device.context.Decision;
import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.wire.Syndrome;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import org.jspecify.annotations.Nullable;

/** The function that decides access, held against section L's five steps written down once more. */
class AccessDecisionPropertiesTest {

    private static final int BYTES = 64;
    private static final int[] RIGHTS = {0, AccessFlags.REMOTE_WRITE, AccessFlags.REMOTE_READ, AccessFlags.REMOTE_ATOMIC
    };

    private static final Verbatim RDMA = Verbatim.inProcess();
    private static final EmulatedDevice DEVICE = (EmulatedDevice) RDMA.open("oracle");
    private static final List<EmulatedProtectionDomain> DOMAINS =
            List.of((EmulatedProtectionDomain) DEVICE.allocatePd(), (EmulatedProtectionDomain) DEVICE.allocatePd());
    private static final Memory MEMORY = Memory.allocate(BYTES);

    /** One region for each combination of remote rights in each domain, and one of each that is gone. */
    private static final List<MemoryRegion> REGIONS = regions();

    private static final List<MemoryRegion> DEAD = regions();

    private static List<MemoryRegion> regions() {
        List<MemoryRegion> regions = new ArrayList<>();
        for (EmulatedProtectionDomain pd : DOMAINS) {
            for (int remote = 0; remote < 8; remote++) {
                regions.add(pd.register(MEMORY, AccessFlags.LOCAL_WRITE | remote << 1));
            }
        }
        return regions;
    }

    static {
        DEAD.forEach(MemoryRegion::close);
    }

    @AfterContainer
    static void close() {
        RDMA.close();
    }

    @Provide
    Arbitrary<Integer> keys() {
        Arbitrary<Integer> valid = Arbitraries.of(REGIONS).map(MemoryRegion::rkey);
        Arbitrary<Integer> local = Arbitraries.of(REGIONS).map(MemoryRegion::lkey);
        Arbitrary<Integer> dead = Arbitraries.of(DEAD).map(MemoryRegion::rkey);
        Arbitrary<Integer> others = Arbitraries.of(0, 0xff, 1 << 27, (1 << 27) - 1, -1, 0xdead_beef);
        return Arbitraries.frequencyOf(Tuple.of(10, valid), Tuple.of(1, local), Tuple.of(1, dead), Tuple.of(1, others));
    }

    /** The syndrome that section L has; null for OK. */
    private static @Nullable Integer expected(
            int grantedByQp, EmulatedProtectionDomain pd, AccessOperation operation, long offset, int length, int key) {
        int right = RIGHTS[operation.ordinal() - AccessOperation.RDMA_WRITE.ordinal() + 1];
        if ((grantedByQp & right) == 0) {
            return Syndrome.NAK_INVALID_REQUEST;
        }
        if (operation == AccessOperation.ATOMIC && Math.floorMod(MEMORY.address() + offset, 8) != 0) {
            return Syndrome.NAK_INVALID_REQUEST;
        }
        if (length == 0) {
            return null;
        }
        boolean allowed = REGIONS.stream()
                .anyMatch(region -> key != 0
                        && region.rkey() == key
                        && region.pd() == pd
                        && (region.access() & right) != 0
                        && offset >= 0
                        && offset + length <= BYTES);
        return allowed ? null : Syndrome.NAK_REMOTE_ACCESS;
    }

    @Property(tries = 8_000, edgeCases = EdgeCasesMode.NONE)
    @Rule({"MR-12", "MR-14", "MR-22", "MR-41", "MR-55", "KEY-04", "KEY-P7", "WR-35", "WC-25"})
    void decisionFollowsTheFiveSteps(
            @ForAll @IntRange(max = 15) int grantedByQp,
            @ForAll boolean firstDomain,
            @ForAll @IntRange(max = 2) int kind,
            @ForAll @IntRange(min = -9, max = BYTES + 1) int offset,
            @ForAll @IntRange(max = 17) int length,
            @ForAll("keys") int key) {
        EmulatedProtectionDomain pd = DOMAINS.get(firstDomain ? 0 : 1);
        AccessOperation operation = List.of(
                        AccessOperation.RDMA_WRITE, AccessOperation.RDMA_READ, AccessOperation.ATOMIC)
                .get(kind);
        Decision decision = AccessDecision.remote(
                DEVICE.memory().keys(),
                grantedByQp,
                new QpIdentity(pd.identity(), 2),
                operation,
                MEMORY.address() + offset,
                length,
                key);
        Integer expected = expected(grantedByQp, pd, operation, offset, length, key);
        if (expected == null) {
            assertThat(decision).isEqualTo(length == 0 ? Allowed.NO_BYTES : Allowed.BY_KEY);
        } else {
            assertThat(decision).isInstanceOf(Denial.class);
            Denial denial = (Denial) decision;
            assertThat(denial.syndrome()).isEqualTo(expected);
            assertThat(denial.refusal().sentence()).isNotEmpty();
            RuleCoverage.assertOutcome(denial.refusal());
        }
    }
}

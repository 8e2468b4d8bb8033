// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.EmulatedProtectionDomain;
import dev.verbatim.device.context.Allowed;
import dev.verbatim.device.context.Decision;
import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.wire.Syndrome;
import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;

/** Bounds of accesses, held against arithmetic on numbers of any size. */
class AccessBoundsPropertiesTest {

    private static final BigInteger TWO_TO_THE_64 = BigInteger.ONE.shiftLeft(64);
    private static final int MOST_BYTES = 1 << 12;

    private static final Verbatim RDMA = Verbatim.inProcess();
    private static final EmulatedDevice DEVICE = (EmulatedDevice) RDMA.open("bounds");
    private static final ProtectionDomain DOMAIN = DEVICE.allocatePd();
    private static final PdIdentity PD = ((EmulatedProtectionDomain) DOMAIN).identity();
    private static final QpIdentity USER = new QpIdentity(PD, 2);
    private static final KeyTable KEYS = DEVICE.memory().keys();
    private static final Memory MEMORY = Memory.allocate(MOST_BYTES);

    @AfterContainer
    static void close() {
        RDMA.close();
    }

    /** Places where unsigned arithmetic may go wrong, and what lies around them. */
    @Provide
    Arbitrary<Long> places() {
        Arbitrary<Long> corners =
                Arbitraries.of(0L, 1L << 31, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, -(1L << 32), -1L, 1L << 62);
        Arbitrary<Long> around = Arbitraries.longs().between(-2L * MOST_BYTES, 2L * MOST_BYTES);
        return Arbitraries.oneOf(Combinators.combine(corners, around).as(Long::sum), Arbitraries.longs());
    }

    /** How far from the beginning of the region an access begins. */
    @Provide
    Arbitrary<Long> distances() {
        return Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.longs().between(-2, MOST_BYTES + 2)), Tuple.of(1, places()));
    }

    @Provide
    Arbitrary<Long> lengths() {
        return Arbitraries.oneOf(
                Arbitraries.longs().between(1, MOST_BYTES + 2), Arbitraries.of(1L << 31, (1L << 32) - 1, 1L, 8L));
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    @Property(tries = 6_000, edgeCases = EdgeCasesMode.NONE)
    @Rule({"MR-22", "MR-23"})
    void accessIsAllowedExactlyIfEachOfItsBytesIsInTheRegion(
            @ForAll("places") long iova,
            @ForAll @IntRange(max = MOST_BYTES) int lengthBytes,
            @ForAll("distances") long distance,
            @ForAll("lengths") long count) {
        BigInteger begin = unsigned(iova);
        BigInteger end = begin.add(BigInteger.valueOf(lengthBytes));
        if (end.compareTo(TWO_TO_THE_64) > 0) {
            return;
        }
        long address = iova + distance;
        BigInteger from = unsigned(address);
        BigInteger to = from.add(BigInteger.valueOf(count));
        boolean inside = from.compareTo(begin) >= 0 && to.compareTo(end) <= 0;
        String rule = to.compareTo(TWO_TO_THE_64) > 0 ? "MR-23" : "MR-22";

        MemoryRegion region = region(iova, lengthBytes);
        Decision remote =
                AccessDecision.remoteKey(KEYS, USER, AccessOperation.RDMA_READ, address, count, region.rkey());
        Decision local = AccessDecision.local(KEYS, PD, AccessOperation.LOCAL_WRITE, address, count, region.lkey());
        region.close();
        for (Decision decision : List.of(remote, local)) {
            if (inside) {
                assertThat(decision).isInstanceOf(Allowed.class);
            } else {
                assertThat(decision).isInstanceOf(Denial.class);
                Denial denial = (Denial) decision;
                assertThat(denial.syndrome()).isEqualTo(Syndrome.NAK_REMOTE_ACCESS);
                assertThat(denial.refusal().rule()).isEqualTo(rule);
                RuleCoverage.assertOutcome(denial.refusal());
            }
        }
    }

    private static MemoryRegion region(long iova, int lengthBytes) {
        return DOMAIN.registerIova(MEMORY, 0, lengthBytes, iova, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ);
    }

    @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
    @Rule("MR-08")
    void regionIsRegisteredExactlyIfItEndsByTwoToThe64(
            @ForAll("places") long iova, @ForAll @IntRange(max = MOST_BYTES) int lengthBytes) {
        boolean fits = lengthBytes == 0
                || unsigned(iova).add(BigInteger.valueOf(lengthBytes)).compareTo(TWO_TO_THE_64) <= 0;
        if (fits) {
            region(iova, lengthBytes).close();
        } else {
            assertRefused(Errno.EINVAL, "MR-08", () -> region(iova, lengthBytes), "passes the end of 64 bits");
        }
    }
}

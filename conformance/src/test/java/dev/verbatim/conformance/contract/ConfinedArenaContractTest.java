// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertRefused;

import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory that only one thread may use is refused on each fabric, whichever thread its lane runs on. */
@EnabledForJreRange(minVersion = 22, disabledReason = "arenas came with Java 22")
class ConfinedArenaContractTest {

    @ParameterizedTest
    @EnumSource
    @Rule("MR-08")
    void memoryOfAConfinedArenaIsRefused(FabricKind fabric) throws Exception {
        Class<?> arenas = Class.forName("java.lang.foreign.Arena");
        try (RcPair pair = fabric.open(QpCapabilities.USUAL);
                AutoCloseable arena =
                        (AutoCloseable) arenas.getMethod("ofConfined").invoke(null)) {
            Object segment = Class.forName("java.lang.foreign.SegmentAllocator")
                    .getMethod("allocate", long.class, long.class)
                    .invoke(arena, 64L, 8L);
            ByteBuffer buffer = (ByteBuffer) Class.forName("java.lang.foreign.MemorySegment")
                    .getMethod("asByteBuffer")
                    .invoke(segment);
            assertRefused(
                    Errno.EINVAL, "MR-08", () -> pair.left.pd.register(buffer, Side.ALL_RIGHTS), "confined arena");
        }
    }
}

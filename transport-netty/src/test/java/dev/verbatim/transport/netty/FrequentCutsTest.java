// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Tries;
import dev.verbatim.wire.AckTimeout;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Queue pairs that may retry once outlive any number of cuts, as long as they get somewhere in between: a connection that is
 * dialled anew costs them no retry and no wait.
 */
@Timeout(1200)
class FrequentCutsTest {

    /** {@code -Dverbatim.cuts=10000} for the long run. */
    private static final int CUTS = Tries.of("cuts", 30, 300, 10_000);

    /** Another one, {@code -Dverbatim.cuts.seed=}, cuts elsewhere. */
    private static final long SEED = Long.getLong("verbatim.cuts.seed", 20_261);

    /** 16 queue pairs in all over one TCP connection. */
    private static final int CONNECTIONS = 8;

    private static final int LARGEST_MESSAGE_BYTES = 8 * 1024;
    private static final long LATEST_CUT_BYTES = 128 * 1024;

    /**
     * 4.3 s: many cuts, and a machine that is busy with other things, are quicker. What passes while there is no connection counts,
     * and a JVM that gets no processor does not dial.
     */
    private static final int TIMEOUT = 20;

    private static final RcConnection ONE_RETRY = RcConnection.USUAL.withRetries(TIMEOUT, 1, 7, 1);

    @ParameterizedTest
    @EnumSource(names = {"NIO", "EPOLL"})
    @Rule({"QP-29", "RT-02", "RT-05", "TR-6"})
    void cutsThatComeFasterThanTheTimeoutEndNoQueuePairOfOneRetry(SocketTransport transport) throws IOException {
        assumeThat(transport.isAvailable()).isTrue();
        CutPair.Cuts cuts = new CutPair.Cuts(CUTS, LATEST_CUT_BYTES);
        CutPair.Load load = new CutPair.Load(DeviceProfile.STRICT_IBTA, ONE_RETRY, CONNECTIONS, LARGEST_MESSAGE_BYTES);
        try (CutPair pair = new CutPair(transport, cuts, load, new SplittableRandom(SEED))) {
            long startNanos = System.nanoTime();
            CutPair.runAll(List.of(pair));
            assertThat((System.nanoTime() - startNanos) / CUTS)
                    .as("nanoseconds from one cut to the next")
                    .isLessThan(AckTimeout.nanos(TIMEOUT));
        } catch (AssertionError e) {
            throw new AssertionError(
                    "with verbatim.cuts.seed=" + SEED + " over " + transport + ": " + e.getMessage(), e);
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.PathMtu;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that are cut at random bytes, in hellos and packets of either direction, lose nothing and repeat nothing. */
@Timeout(600)
class CutAnywhereTest {

    private static final int CUTS = Tries.of("cuts.anywhere", 60, 500, 500);
    private static final int PAIRS = 4;
    private static final int CUTS_OF_A_PAIR = CUTS / PAIRS;

    /** Another one, {@code -Dverbatim.cuts.seed=}, cuts elsewhere. */
    private static final long SEED = Long.getLong("verbatim.cuts.seed", 20_261);

    private static final int LARGEST_MESSAGE_BYTES = 300 * 1024;
    private static final int CONNECTIONS = 2;

    /** 4 ms; short, since every cut costs one. */
    private static final int TIMEOUT = 10;

    /** Seven retries last for ever: a busy machine may take longer to dial anew than seven short timeouts. */
    private static final DeviceProfile TIRELESS =
            DeviceProfile.STRICT_IBTA.toBuilder().infiniteRetrySeven(true).build();

    private static final RcConnection IMPATIENT =
            RcConnection.USUAL.withPathMtu(PathMtu.MTU_4096).withRetries(TIMEOUT, 7, 7, 1);

    @ParameterizedTest
    @EnumSource(names = {"NIO", "EPOLL"})
    @Rule({"QP-29", "TR-6"})
    void connectionsCutAtRandomBytesLoseNothingAndRepeatNothing(SocketTransport transport) throws IOException {
        assumeThat(transport.isAvailable()).isTrue();
        CutPair.Cuts cuts = new CutPair.Cuts(CUTS_OF_A_PAIR, 2L * LARGEST_MESSAGE_BYTES);
        CutPair.Load load = new CutPair.Load(TIRELESS, IMPATIENT, CONNECTIONS, LARGEST_MESSAGE_BYTES);
        List<CutPair> pairs = new ArrayList<>();
        try {
            SplittableRandom random = new SplittableRandom(SEED);
            for (int i = 0; i < PAIRS; i++) {
                pairs.add(new CutPair(transport, cuts, load, random.split()));
            }
            CutPair.runAll(pairs);
        } catch (AssertionError e) {
            throw new AssertionError(
                    "with verbatim.cuts.seed=" + SEED + " over " + transport + ": " + e.getMessage(), e);
        } finally {
            for (CutPair pair : pairs) {
                pair.close();
            }
        }
    }
}

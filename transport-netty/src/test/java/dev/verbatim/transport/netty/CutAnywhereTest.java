// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.PathMtu;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.logging.LogRecord;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that are cut at random bytes, in hellos and packets of either direction, lose nothing and repeat nothing. */
@Timeout(240)
class CutAnywhereTest {

    private static final int CUTS = 500;
    private static final int PAIRS = 4;
    private static final int CUTS_OF_A_PAIR = CUTS / PAIRS;

    /** Another one, {@code -Dverbatim.cuts.seed=}, cuts elsewhere. */
    private static final long SEED = Long.getLong("verbatim.cuts.seed", 20_261);

    private static final int LARGEST_MESSAGE_BYTES = 300 * 1024;
    private static final int QUEUE_PAIRS = 2;

    /** 4 ms; short, since every cut costs one. */
    private static final int TIMEOUT = 10;

    /** Seven retries last for ever: a busy machine may take longer to dial anew than seven short timeouts. */
    private static final DeviceProfile TIRELESS =
            DeviceProfile.STRICT_IBTA.toBuilder().infiniteRetrySeven(true).build();

    private static final RcConnection IMPATIENT =
            RcConnection.USUAL.pathMtu(PathMtu.MTU_4096).retries(TIMEOUT, 7, 7, 1);

    /** Two devices that talk through a relay that cuts. */
    private static final class Pair implements AutoCloseable {

        private final NettyFabric near;
        private final NettyFabric far;
        private final Verbatim left;
        private final Verbatim right;
        private final Relay relay;
        private final List<Traffic> traffics = new ArrayList<>();
        private final RandomGenerator offsets;

        Pair(SocketTransport transport, SplittableRandom random) throws IOException {
            NettyOptions options = NettyOptions.defaults().withTransport(transport);
            near = NettyFabric.open(options);
            far = NettyFabric.open(options);
            left = Verbatim.over(near).profile(TIRELESS);
            right = Verbatim.over(far).profile(TIRELESS);
            var leftDevice = left.open("left");
            var rightDevice = right.open("right");
            relay = Relay.to(far.listen(Node.loopback(0)));
            near.dial(relay.address());
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                traffics.addAll(
                        Traffic.ofAllKinds(leftDevice, rightDevice, IMPATIENT, random.split(), LARGEST_MESSAGE_BYTES));
            }
            offsets = random.split();
        }

        /** Where the next connection is cut: one in eight in its hello, the others soon after or late. */
        Relay.@Nullable Break nextBreak() {
            long largest = offsets.nextInt(8) == 0 ? Hello.SIZE_BYTES : 2L * LARGEST_MESSAGE_BYTES;
            return isEnough()
                    ? null
                    : new Relay.Break(offsets.nextBoolean(), offsets.nextLong(largest), offsets.nextBoolean());
        }

        boolean isEnough() {
            return relay.broken() >= CUTS_OF_A_PAIR;
        }

        @Override
        public void close() throws IOException {
            left.close();
            right.close();
            relay.close();
            assertThat(near.directMemoryBytes() + far.directMemoryBytes()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO", "EPOLL"})
    @Rule({"QP-29", "TR-6"})
    void connectionsCutAtRandomBytesLoseNothingAndRepeatNothing(SocketTransport transport) throws IOException {
        assumeThat(transport.isAvailable()).isTrue();
        List<Pair> pairs = new ArrayList<>();
        try (LogLines quiet = LogLines.open()) {
            SplittableRandom random = new SplittableRandom(SEED);
            for (int i = 0; i < PAIRS; i++) {
                pairs.add(new Pair(transport, random.split()));
            }
            for (Pair pair : pairs) {
                pair.relay.breakWhere(pair::nextBreak);
                pair.relay.cut();
            }
            List<Traffic> all = new ArrayList<>();
            pairs.forEach(pair -> all.addAll(pair.traffics));
            Traffic.runAll(all, () -> pairs.stream().allMatch(Pair::isEnough));
            for (LogRecord line : quiet.records()) {
                if (line.getThrown() != null) {
                    throw new AssertionError(line.getMessage(), line.getThrown());
                }
            }
        } catch (AssertionError e) {
            throw new AssertionError("with verbatim.cuts.seed=" + SEED + " over " + transport, e);
        } finally {
            for (Pair pair : pairs) {
                pair.close();
            }
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.transport.netty.hello.Hello;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.logging.LogRecord;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Two devices that talk through a relay which cuts each of their connections at a random byte. */
final class CutPair implements AutoCloseable {

    private final NettyFabric near;
    private final NettyFabric far;
    private final Verbatim left;
    private final Verbatim right;
    private final Relay relay;
    private final List<Traffic> traffics = new ArrayList<>();
    private final RandomGenerator offsets;
    private final Cuts cuts;

    /**
     * How connections are cut.
     *
     * @param most so many; then the connection is left alone
     * @param latestBytes at most so many bytes pass of the direction that is counted
     */
    record Cuts(int most, long latestBytes) {}

    /**
     * What talks.
     *
     * @param connections of two queue pairs each, and both ask
     * @param largestBytes length of the longest message
     */
    record Load(DeviceProfile profile, RcConnection connection, int connections, int largestBytes) {}

    CutPair(SocketTransport transport, Cuts cuts, Load load, SplittableRandom random) throws IOException {
        this.cuts = cuts;
        NettyOptions options = NettyOptions.defaults().withTransport(transport);
        near = NettyFabric.open(options);
        far = NettyFabric.open(options);
        left = Verbatim.over(near).profile(load.profile);
        right = Verbatim.over(far).profile(load.profile);
        var leftDevice = left.open("left");
        var rightDevice = right.open("right");
        relay = Relay.to(far.listen(Node.loopback(0)));
        near.dial(relay.address());
        for (int i = 0; i < load.connections; i++) {
            traffics.addAll(
                    Traffic.ofAllKinds(leftDevice, rightDevice, load.connection, random.split(), load.largestBytes));
        }
        offsets = random.split();
    }

    /** Lets all of them talk until all have been cut often enough; nothing may be lost, repeated or logged as a fault. */
    static void runAll(List<CutPair> pairs) throws IOException {
        try (LogLines quiet = LogLines.open()) {
            List<Traffic> all = new ArrayList<>();
            for (CutPair pair : pairs) {
                all.addAll(pair.traffics);
                pair.relay.breakWhere(pair::nextBreak);
                pair.relay.cut();
            }
            Traffic.runAll(all, () -> pairs.stream().allMatch(CutPair::isEnough));
            for (LogRecord line : quiet.records()) {
                if (line.getThrown() != null) {
                    throw new AssertionError(line.getMessage(), line.getThrown());
                }
            }
        }
    }

    /** Where the next connection is cut: one in eight in its hello, the others soon after or late. */
    private Relay.@Nullable Break nextBreak() {
        long largest = offsets.nextInt(8) == 0 ? Hello.SIZE_BYTES : cuts.latestBytes;
        return isEnough()
                ? null
                : new Relay.Break(offsets.nextBoolean(), offsets.nextLong(largest), offsets.nextBoolean());
    }

    private boolean isEnough() {
        return relay.broken() >= cuts.most;
    }

    @Override
    public void close() throws IOException {
        left.close();
        right.close();
        relay.close();
        assertThat(near.directMemoryBytes() + far.directMemoryBytes()).isZero();
    }
}

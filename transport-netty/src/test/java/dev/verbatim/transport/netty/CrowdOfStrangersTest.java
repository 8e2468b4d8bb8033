// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.testing.LongTest;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Gid;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many strangers at once, far more than there may be connections. A third says nothing, a third half a hello, a third
 * garbage, and none hangs up.
 */
@Timeout(600)
@LongTest
class CrowdOfStrangersTest {

    private static final int STRANGERS = 1000;
    private static final int BETWEEN_LOOKS = 50;
    private static final long SECOND_NANOS = 1_000_000_000L;

    /** So small that honest peers find no room if strangers count. */
    private static final NettyOptions OPTIONS = NettyOptions.defaults()
            .withMaxConnections(1 + STRANGERS / BETWEEN_LOOKS)
            .withHelloTimeoutNanos(2 * SECOND_NANOS);

    /** Those without a hello have room for one each; the system may have accepted some more at once. */
    private static final long BOUND_BYTES = 2L * TransportLimits.MOST_NEWCOMERS * Hello.SIZE_BYTES;

    private final Random random = new Random(9);
    private final List<RawPeer> crowd = new ArrayList<>();
    private int sent;

    @ParameterizedTest
    @EnumSource(names = {"NIO", "EPOLL"})
    void crowdOfStrangersCostsLittleAndKeepsNobodyOut(SocketTransport transport) throws IOException {
        assumeThat(transport.isAvailable()).isTrue();
        long startNanos = System.nanoTime();
        try (LogLines log = LogLines.open();
                Node server = Node.open(1, OPTIONS.withTransport(transport));
                Node friend = Node.open(2)) {
            InetSocketAddress address = server.listen();
            friend.fabric.dial(address);
            carryOn(friend, server);
            long quietBytes = server.fabric.directMemoryBytes();
            for (int i = 0; i < STRANGERS; i++) {
                joinCrowd(address, i);
                assertThat(server.fabric.directMemoryBytes()).isLessThanOrEqualTo(quietBytes + BOUND_BYTES);
                if (i % BETWEEN_LOOKS == BETWEEN_LOOKS - 1) {
                    carryOn(friend, server);
                    letIn(3 + i, address, server);
                    server.await("room again", () -> server.fabric.directMemoryBytes() <= quietBytes + BOUND_BYTES);
                }
            }
            for (RawPeer stranger : crowd) {
                stranger.awaitEnd();
            }
            server.await(
                    "nobody who has not said a hello",
                    () -> ((NettyPort) server.port).newcomers().count() == 0);
            server.await(
                    "nothing left of what they were read into", () -> server.fabric.directMemoryBytes() == quietBytes);
            carryOn(friend, server);
            long seconds = 1 + (System.nanoTime() - startNanos) / SECOND_NANOS;
            assertThat(log.records())
                    .hasSizeBetween(1, (int) seconds * TransportLimits.MOST_LOG_LINES_PER_SECOND)
                    .allMatch(line -> line.getThrown() == null);
        } finally {
            for (RawPeer stranger : crowd) {
                stranger.close();
            }
        }
    }

    private void joinCrowd(InetSocketAddress address, int number) throws IOException {
        RawPeer stranger = RawPeer.dial(address);
        crowd.add(stranger);
        if (number % 3 == 1) {
            byte[] hello = RawPeer.bytes(RawPeer.hello(Gid.ofGuid(10_000L + number), 7));
            stranger.say(RawPeer.firstOf(hello, 1 + random.nextInt(Hello.SIZE_BYTES - 1)));
        } else if (number % 3 == 2) {
            byte[] garbage = new byte[1 + random.nextInt(1000)];
            random.nextBytes(garbage);
            stranger.say(garbage);
        }
    }

    /** One more honest peer gets what every peer gets, at once. */
    private void letIn(long guid, InetSocketAddress address, Node server) {
        try (Node honest = Node.open(guid)) {
            assertThat(honest.fabric.dial(address)).isEqualTo(server.gid);
            carryOn(honest, server);
        }
    }

    private void carryOn(Node from, Node server) {
        int before = server.inbox.size();
        from.send(from.linkTo(server.gid), sent, 10, 100);
        assertThat(server.inbox.await(before + 10).subList(before, before + 10))
                .isEqualTo(NettyFabricTest.expected(sent, 10, 100));
        sent += 10;
    }
}

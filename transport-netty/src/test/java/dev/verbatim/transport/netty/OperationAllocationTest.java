// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbatim.RcConnection;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.LongTest;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Operations of devices over TCP make no objects, counted over all threads that have a part in it. The smallest object takes 16 B, so
 * that an object for each operation would be four times the bound. What remains is made now and then, such as where a socket is full,
 * which on a busy machine it often is.
 */
@LongTest
@Timeout(600)
class OperationAllocationTest {

    private static final int OUTSTANDING = 16;
    private static final int OPERATIONS = 4_000;
    private static final int MOST_BYTES_EACH = 4;

    /** The best one counts: what Java makes once, when it links and compiles, comes late. */
    private static final int MOST_ROUNDS = 8;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    private final WorkCompletion[] taken = new WorkCompletion[OUTSTANDING];

    /** The watch writes down each use of a buffer. */
    @BeforeEach
    void stopWatchingForLeaks() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        Arrays.setAll(taken, i -> new WorkCompletion());
    }

    @AfterEach
    void watchForLeaks() {
        ResourceLeakDetector.setLevel(level);
    }

    static Stream<Arguments> ways() {
        return Stream.of(SocketTransport.NIO, SocketTransport.EPOLL)
                .filter(SocketTransport::isAvailable)
                .flatMap(transport -> Stream.of(true, false).map(spinning -> Arguments.of(transport, spinning)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void operationMakesNoObject(SocketTransport transport, boolean spinning) {
        NettyOptions options = NettyOptions.defaults().withTransport(transport);
        try (NettyFabric server = NettyFabric.open(options);
                NettyFabric client = NettyFabric.open(options.withSpinning(spinning));
                Verbatim far = Verbatim.over(server);
                Verbatim near = Verbatim.over(client)) {
            RcPeer right = RcPeer.open(far.open("right"), 1 << 20);
            RcPeer left = RcPeer.open(near.open("left"), 1 << 20);
            client.dial(server.listen(Node.loopback(0)));
            RcConnection.USUAL.withPathMtu(PathMtu.MTU_4096).join(left.qp(), right.qp());
            List<SendWorkRequest> requests = List.of(
                    left.write(1, 0, 8, right),
                    left.read(2, 0, 8, right),
                    SendWorkRequest.fetchAndAdd(3, right.address(0), right.rkey(), 1, left.sge(0, 8)),
                    left.write(4, 0, 1 << 17, right),
                    left.read(5, 0, 1 << 17, right));
            long[] involved = involvedThreads();
            assertThat(involved).hasSize(spinning ? 2 : 3);
            for (SendWorkRequest request : requests) {
                long fewest = Long.MAX_VALUE;
                for (int round = 0; round < MOST_ROUNDS && fewest >= MOST_BYTES_EACH * OPERATIONS; round++) {
                    long before = allocatedBy(involved);
                    run(left, request);
                    fewest = Math.min(fewest, allocatedBy(involved) - before);
                }
                assertThat(fewest)
                        .as("bytes for %d of %s", OPERATIONS, request)
                        .isLessThan(MOST_BYTES_EACH * OPERATIONS);
            }
        }
    }

    private void run(RcPeer peer, SendWorkRequest request) {
        int posted = 0;
        int done = 0;
        while (done < OPERATIONS) {
            while (posted < OPERATIONS && posted - done < OUTSTANDING) {
                peer.qp().postSend(request);
                posted++;
            }
            int count = peer.sent().poll(taken);
            for (int i = 0; i < count; i++) {
                if (taken[i].status() != WcStatus.SUCCESS) {
                    throw new AssertionError(taken[i]);
                }
            }
            done += count;
            if (count == 0) {
                // The loops may have to wait for this core.
                Thread.yield();
            }
        }
    }

    private long allocatedBy(long[] involved) {
        return Arrays.stream(threads.getThreadAllocatedBytes(involved)).sum();
    }

    private long[] involvedThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("verbatim-tcp") || thread.equals(Thread.currentThread()))
                .mapToLong(Thread::getId)
                .toArray();
    }
}

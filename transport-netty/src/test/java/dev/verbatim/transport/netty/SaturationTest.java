// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.LongTest;
import dev.verbatim.verbs.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Both ends write and read as much as they can through small socket buffers. Neither may wait for the other to take what it
 * sends before it takes what the other sends.
 */
@Timeout(600)
@LongTest
class SaturationTest {

    private static final int QUEUE_PAIRS = 4;
    private static final int LARGEST_MESSAGE_BYTES = 300 * 1024;
    private static final int ENOUGH = 40;

    /** One packet or two. With less, the system's TCP itself sends no more than 3 KB in 200 ms now and then. */
    private static final int NARROW_BYTES = 4096;

    @ParameterizedTest
    @EnumSource(names = {"NIO", "EPOLL"})
    void bothDirectionsSaturatedWithWritesAndReadsFinish(SocketTransport transport) {
        assumeThat(transport.isAvailable()).isTrue();
        NettyOptions narrow = NettyOptions.defaults().withTransport(transport).withSocketBufferBytes(NARROW_BYTES);
        NettyFabric near = NettyFabric.open(narrow);
        NettyFabric far = NettyFabric.open(narrow);
        try (Verbatim left = Verbatim.over(near);
                Verbatim right = Verbatim.over(far)) {
            Device leftDevice = left.open("left");
            Device rightDevice = right.open("right");
            near.dial(far.listen(Node.loopback(0)));
            SplittableRandom random = new SplittableRandom(5);
            List<Traffic> all = new ArrayList<>();
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                all.addAll(Traffic.ofWritesAndReads(
                        leftDevice, rightDevice, RcConnection.USUAL, random, LARGEST_MESSAGE_BYTES));
            }
            Traffic.runAll(all, () -> all.stream().allMatch(traffic -> traffic.completed() >= ENOUGH));
        }
        assertThat(near.directMemoryBytes() + far.directMemoryBytes()).isZero();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.bench.plan.Series;
import dev.verbatim.testing.Await;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The yardsticks do what they say: both ends come to their end, and nothing is left in between. */
@Timeout(600)
class PlainTest {

    /** More than fill the buffer of frames; few enough for two spinning threads on one processor. */
    private static final int OPERATIONS = 500;

    @ParameterizedTest
    @EnumSource(names = "DATAGRAM.*|SPINNING_DATAGRAM.*", mode = EnumSource.Mode.MATCH_NONE)
    void bothEndsFinishAndTheConnectionIsEmptyThen(Plain what) throws Exception {
        try (ServerSocketChannel listening =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                PlainEnd active =
                        new PlainEnd(SocketChannel.open(listening.getLocalAddress()), what.blocking(), 4096)) {
            Histogram latencies = Series.newHistogram();
            try (PlainEnd passive = new PlainEnd(listening.accept(), what.blocking(), 4096)) {
                CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> passive(what, passive));
                what.active(active, OPERATIONS, latencies);
                assertThat(Await.result("the other end", other)).isTrue();
            }
            assertThat(latencies.getTotalCount()).isEqualTo(what.name().contains("PING_PONG") ? OPERATIONS : 0);
            // Bytes left here would be read, and bytes left there have reset the connection.
            assertThatThrownBy(active::readOne).isInstanceOf(EOFException.class);
        }
    }

    /** Two rounds; what the first leaves behind is left out in the second. */
    @ParameterizedTest
    @EnumSource(names = "DATAGRAM.*|SPINNING_DATAGRAM.*", mode = EnumSource.Mode.MATCH_ANY)
    void bothEndsOfDatagramsFinishAndKnowWhatWasDropped(Plain what) throws Exception {
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        DatagramChannel here = DatagramChannel.open().bind(anywhere);
        DatagramChannel there = DatagramChannel.open().bind(anywhere).connect(here.getLocalAddress());
        here.connect(there.getLocalAddress());
        Histogram latencies = Series.newHistogram();
        try (PlainEnd active = new PlainEnd(here, what.blocking(), 512);
                PlainEnd passive = new PlainEnd(there, what.blocking(), 512)) {
            for (int round = 1; round <= 2; round++) {
                CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> passive(what, passive));
                what.active(active, OPERATIONS, latencies);
                assertThat(Await.result("the other end", other)).isTrue();
                assertThat(active.sentToReceived()).isBetween(1.0, (double) OPERATIONS);
                assertThat(latencies.getTotalCount())
                        .isEqualTo(what.name().contains("PING_PONG") ? (long) round * OPERATIONS : 0);
            }
        }
    }

    private static boolean passive(Plain what, PlainEnd end) {
        try {
            what.passive(end, OPERATIONS);
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.wire.Packet;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The line of those who wait for a turn. */
class TurnQueueTest {

    private static final int STEPS = 10_000;

    /** A source that is no more than itself. */
    private static final class Source implements PacketSource {
        @Override
        public boolean pull(Packet packet) {
            return false;
        }

        @Override
        public @Nullable Link link() {
            return null;
        }

        @Override
        public int queuePair() {
            return 0;
        }
    }

    @Test
    void linesUpLikeAnyQueue() {
        List<PacketSource> sources =
                IntStream.range(0, 4).<PacketSource>mapToObj(i -> new Source()).toList();
        Random random = new Random(1);
        TurnQueue line = new TurnQueue();
        ArrayDeque<PacketSource> expected = new ArrayDeque<>();
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(expected.size() + 2) <= 1) {
                PacketSource source = sources.get(random.nextInt(sources.size()));
                line.addLast(source);
                expected.addLast(source);
            } else {
                assertThat(line.pollFirst()).isSameAs(expected.pollFirst());
            }
            assertThat(line.size()).isEqualTo(expected.size());
            assertThat(line.isEmpty()).isEqualTo(expected.isEmpty());
        }
    }

    @Test
    void whoHadItsTurnIsNotInTheLine() {
        TurnQueue line = new TurnQueue();
        line.addLast(new Source());
        line.pollFirst();
        assertThat(line.pollFirst()).isNull();
    }
}

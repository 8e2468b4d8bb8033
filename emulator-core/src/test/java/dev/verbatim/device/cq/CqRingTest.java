// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CqRingTest {

    private static final int LARGEST = 1 << 22;

    private final CqRing ring = new CqRing(this, LARGEST);

    @Test
    void largestQueueTakesWhatIsUsedOfItAndNoMore() {
        ring.reserve(128, 0, 0);
        for (long number = 0; number < 100_000; number++) {
            long waiting = Math.min(number, 10);
            assertThat(ring.next(number, waiting)).isNotNull();
            if (ring.isUnprepared(waiting + 1)) {
                ring.prepare(number - waiting, number + 1);
            }
        }
        assertThat(ring.slots()).isLessThan(1024);
    }

    @Test
    void whatMayBeOutstandingHasItsEntriesBeforehand() {
        ring.reserve(5000, 0, 0);
        assertThat(ring.slots()).isBetween(5000, 10_000);
        assertThat(ring.preparedSlots()).isEqualTo(5000);
        ring.release(4990);
        ring.become(LARGEST, 0, 0);
        assertThat(ring.slots()).isLessThan(100);
        assertThat(ring.preparedSlots()).as("kept for completions to come").isEqualTo(ring.slots());
    }

    @Test
    void completionsThatWaitKeepTheirOrderHoweverTheRingGrowsAndShrinks() {
        Random random = new Random(7);
        Deque<CqEntry> waiting = new ArrayDeque<>();
        long end = 0;
        for (int step = 0; step < 20_000; step++) {
            int turn = random.nextInt(8);
            if (turn < 4) {
                CqEntry entry = ring.next(end, waiting.size());
                assertThat(entry).isNotNull().isNotIn(waiting.peekFirst(), waiting.peekLast());
                waiting.addLast(entry);
                end++;
            } else if (turn < 7) {
                waiting.pollFirst();
            } else if (random.nextInt(20) == 0) {
                ring.become(waiting.size() + 1 + random.nextInt(100), end - waiting.size(), end);
                ring.become(LARGEST, end - waiting.size(), end);
            }
            long number = end - waiting.size();
            assertThat(waiting.isEmpty() ? null : ring.at(number)).isSameAs(waiting.peekFirst());
        }
        long number = end - waiting.size();
        for (CqEntry entry : waiting) {
            assertThat(ring.at(number++)).isSameAs(entry);
        }
    }

    @Test
    void fullRingHasNoRoom() {
        CqRing small = new CqRing(this, 40);
        for (int number = 0; number < 40; number++) {
            assertThat(small.next(number, number)).isNotNull();
        }
        assertThat(small.next(40, 40)).isNull();
        assertThat(small.next(40, 39)).isNotNull();
    }
}

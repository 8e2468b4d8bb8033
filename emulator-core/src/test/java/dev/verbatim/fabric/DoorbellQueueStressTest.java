// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever rings has written something before; the last answer sees the last of it. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@LongTest
class DoorbellQueueStressTest {
    private static final int RINGERS = 4;
    private static final int ROUNDS = 300;
    private static final int RINGS_OF_A_ROUND = 5;
    /** Each hands over from one thread to the other three times, which takes as many turns of both where a machine is busy. */
    private static final int FEWEST_DUELS = 1_000;

    private static final int MOST_DUELS = 1_000_000;

    /** A quiet machine comes to many more duels than the fewest in this time. */
    private static final long DUELS_NANOS = 1_000_000_000L;

    private final DoorbellQueue doorbells = new DoorbellQueue();
    private final ExecutorService threads = Executors.newFixedThreadPool(RINGERS);

    /** What one thread posts: a plain field, which nothing but the ring publishes. */
    private static final class Post extends Doorbell {
        private int posted;
        private int seen;

        @Override
        protected void answer() {
            seen = posted;
        }
    }

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void nothingPostedBeforeARingIsMissedByTheLastAnswer() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(RINGERS + 1);
        List<Post> posts = new ArrayList<>();
        List<Future<?>> ringers = new ArrayList<>();
        for (int i = 0; i < RINGERS; i++) {
            Post post = new Post();
            posts.add(post);
            ringers.add(threads.submit(() -> ring(post, barrier)));
        }
        for (int round = 1; round <= ROUNDS; round++) {
            barrier.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            while (barrier.getNumberWaiting() < RINGERS) {
                doorbells.answerAll();
            }
            doorbells.answerAll();
            assertThat(posts).extracting(post -> post.seen).containsOnly(round * RINGS_OF_A_ROUND);
            barrier.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        for (Future<?> ringer : ringers) {
            Await.result("a ringer", ringer);
        }
    }

    /** The narrow case: the second ring, which finds the doorbell rung, meets the answer to the first. */
    @Test
    void secondRingThatMeetsTheAnswerToTheFirstIsNotMissed() throws Exception {
        Post post = new Post();
        AtomicInteger turn = new AtomicInteger();
        AtomicInteger rings = new AtomicInteger();
        AtomicInteger last = new AtomicInteger(MOST_DUELS);
        Future<?> ringer = threads.submit(() -> {
            for (int duel = 1; duel <= last.get(); duel++) {
                int round = duel;
                post.posted++;
                doorbells.ring(post);
                rings.incrementAndGet();
                Spin.until(() -> turn.get() == round);
                post.posted++;
                doorbells.ring(post);
                rings.incrementAndGet();
            }
        });
        long startNanos = System.nanoTime();
        for (int duel = 1; duel <= last.get(); duel++) {
            int round = duel;
            if (round >= FEWEST_DUELS && System.nanoTime() - startNanos > DUELS_NANOS) {
                last.set(round);
            }
            Spin.until(() -> rings.get() >= 2 * round - 1);
            turn.set(round);
            doorbells.answerAll();
            Spin.until(() -> rings.get() >= 2 * round);
            doorbells.answerAll();
            assertThat(post.seen).isGreaterThanOrEqualTo(2 * round);
        }
        Await.result("a ringer", ringer);
    }

    private Void ring(Post post, CyclicBarrier barrier) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            barrier.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            for (int i = 0; i < RINGS_OF_A_ROUND; i++) {
                post.posted++;
                doorbells.ring(post);
            }
            barrier.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        return null;
    }
}

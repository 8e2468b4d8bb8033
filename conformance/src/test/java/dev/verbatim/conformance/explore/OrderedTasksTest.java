// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class OrderedTasksTest {

    @Test
    void tasksAreDoneAtTheSameTimeAndGivenInTheirOrder() {
        CountDownLatch second = new CountDownLatch(1);
        try (OrderedTasks<String> tasks = new OrderedTasks<>("test", 2)) {
            tasks.begin(() -> {
                second.await();
                return "first";
            });
            tasks.begin(() -> {
                second.countDown();
                return "second";
            });

            assertThat(tasks.take()).isEqualTo("first");
            assertThat(tasks.take()).isEqualTo("second");
        }
    }

    @Test
    void resultsForARowOfArgumentsAreToldInTheirOrder() {
        CountDownLatch last = new CountDownLatch(1);
        List<Integer> told = new ArrayList<>();

        OrderedTasks.each(
                "test",
                2,
                List.of(1, 2, 3),
                argument -> {
                    if (argument == 3) {
                        last.countDown();
                    } else if (argument == 1) {
                        awaitHere(last);
                    }
                    return 10 * argument;
                },
                told::add);

        assertThat(told).containsExactly(10, 20, 30);
    }

    private static void awaitHere(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void resultsThatNobodyTookAreBounded() {
        try (OrderedTasks<Integer> tasks = new OrderedTasks<>("test", 1)) {
            int begun = 0;
            for (; tasks.hasRoom(); begun++) {
                tasks.begin(() -> 1);
            }

            assertThat(begun).isEqualTo(16);
            tasks.take();
            assertThat(tasks.hasRoom()).isTrue();
        }
    }

    @Test
    void boundOfResultsDoesNotOverflow() {
        try (OrderedTasks<Integer> tasks = new OrderedTasks<>("test", Integer.MAX_VALUE)) {
            assertThat(tasks.hasRoom()).isTrue();
        }
    }

    @Test
    void whatATaskThrowsIsThrownWhenItsTurnComes() {
        try (OrderedTasks<String> tasks = new OrderedTasks<>("test", 2)) {
            tasks.begin(() -> "well");
            tasks.begin(() -> {
                throw new AssertionError("not well");
            });

            assertThat(tasks.take()).isEqualTo("well");
            assertThatThrownBy(tasks::take).isInstanceOf(AssertionError.class).hasMessage("not well");
        }
    }

    @Test
    void whoIsInterruptedWaitsNoLongerAndTasksAreGivenUp() throws InterruptedException {
        CountDownLatch givenUp = new CountDownLatch(1);
        try (OrderedTasks<String> tasks = new OrderedTasks<>("test", 1)) {
            tasks.begin(() -> {
                try {
                    new CountDownLatch(1).await();
                } finally {
                    givenUp.countDown();
                }
                return "never";
            });
            Thread.currentThread().interrupt();

            assertThatThrownBy(tasks::take).isInstanceOf(CancellationException.class);
            assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
        }
        givenUp.await();
    }
}

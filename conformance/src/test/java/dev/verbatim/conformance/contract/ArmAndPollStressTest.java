// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One thread posts in bursts; another arms, polls, and sleeps when there is nothing. A wake-up that is lost shows as a
 * sleep that outlasts the patience, since the last completion has no successor that would wake the sleeper after all.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArmAndPollStressTest {

    private static final int COMPLETIONS = Tries.of("arm-and-poll", 40_000, 100_000, 100_000);
    private static final int LONGEST_BURST = 48;

    private int sleeps;

    @ParameterizedTest
    @EnumSource(names = {"IN_PROCESS", "ONE_LOOP", "TCP"})
    @Rule("T-12")
    void noCompletionIsMissedByAThreadThatSleepsBetweenThem(FabricKind fabric) throws Exception {
        try (RcPair pair = fabric.openUnwatched(QpCapabilities.USUAL).connect(RcConnection.USUAL)) {
            CompletableFuture<Integer> consumed = new CompletableFuture<>();
            Thread consumer = new Thread(() -> {
                try {
                    consumed.complete(consume(pair.left.sendCq));
                } catch (RuntimeException | AssertionError e) {
                    consumed.completeExceptionally(e);
                }
            });
            consumer.setDaemon(true);
            consumer.start();
            produce(pair, consumed);
            assertThat(consumed.get(100, TimeUnit.SECONDS)).isEqualTo(COMPLETIONS);
            assertThat(sleeps).as("sleeps of the consumer").isPositive();
            asserted();
        }
    }

    private int consume(CompletionQueue cq) {
        CompletionChannel channel = cq.channel();
        assertThat(channel).isNotNull();
        int count = drain(cq, 0);
        while (count < COMPLETIONS) {
            cq.requestNotify(false);
            int drained = drain(cq, count);
            if (drained == count) {
                CompletionEvent event = channel.getEvent(Await.LIMIT);
                event.acknowledge();
                sleeps++;
            }
            count = drained;
        }
        return count;
    }

    private static int drain(CompletionQueue cq, int before) {
        WorkCompletion[] holders = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
        int count = before;
        for (int polled = cq.poll(holders); polled > 0; polled = cq.poll(holders)) {
            for (int i = 0; i < polled; i++) {
                assertThat(holders[i].isSuccess()).as("%s", holders[i]).isTrue();
                assertThat(holders[i].id()).isEqualTo(count + i);
            }
            count += polled;
        }
        return count;
    }

    /** Bursts of random length; behind each the consumer is let come to rest. */
    private static void produce(RcPair pair, CompletableFuture<Integer> consumed) {
        SplittableRandom random = new SplittableRandom(1);
        int posted = 0;
        while (posted < COMPLETIONS && !consumed.isDone()) {
            int burst = Math.min(random.nextInt(1, LONGEST_BURST), COMPLETIONS - posted);
            for (int i = 0; i < burst && !consumed.isDone(); i++) {
                if (post(pair, posted)) {
                    posted++;
                }
            }
            for (int i = random.nextInt(2000); i > 0; i--) {
                Thread.onSpinWait();
            }
        }
    }

    /** False if the send queue has no room now. */
    private static boolean post(RcPair pair, int id) {
        try {
            pair.left.qp.postSend(
                    SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8)));
            return true;
        } catch (VerbsException full) {
            assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
            Thread.yield();
            return false;
        }
    }
}

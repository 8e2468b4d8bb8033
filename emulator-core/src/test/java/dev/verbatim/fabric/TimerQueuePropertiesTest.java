// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The timer queue against a list that is sorted anew at each question. */
@Rule("RT-07")
class TimerQueuePropertiesTest {
    private static final int TIMERS = 24;

    private enum Action {
        ARM,
        DISARM,
        FORGET,
        EXPIRE,
        ASK
    }

    /** What is done, to which timer, and how far from now its deadline or the next look at the clock is. */
    private record Step(Action action, int timer, long nanos) {}

    private record Armed(int timer, long deadlineNanos, int order) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Action> actions = Arbitraries.of(
                Action.ARM, Action.ARM, Action.ARM, Action.DISARM, Action.FORGET, Action.EXPIRE, Action.ASK);
        return Combinators.combine(
                        actions,
                        Arbitraries.integers().between(0, TIMERS - 1),
                        Arbitraries.longs().between(0, 30))
                .as(Step::new)
                .list()
                .ofMaxSize(200);
    }

    @Property(tries = 2_000)
    void queueExpiresWhatASortedListWould(@ForAll("steps") List<Step> steps) {
        List<String> expired = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        TimerQueue queue = new TimerQueue();
        List<RecordingTimer> timers = IntStream.range(0, TIMERS)
                .mapToObj(i -> new RecordingTimer("t" + i, expired))
                .toList();
        TreeMap<Integer, Armed> reference = new TreeMap<>();
        long nowNanos = 0;
        int order = 0;
        for (Step step : steps) {
            RecordingTimer timer = timers.get(step.timer());
            switch (step.action()) {
                case ARM -> {
                    queue.arm(timer, nowNanos + step.nanos());
                    reference.put(step.timer(), new Armed(step.timer(), nowNanos + step.nanos(), order++));
                }
                case DISARM -> {
                    timer.disarm();
                    reference.remove(step.timer());
                }
                case FORGET -> {
                    queue.forget(timer);
                    reference.remove(step.timer());
                }
                case EXPIRE -> {
                    nowNanos += step.nanos();
                    List<Armed> due = dueIn(reference, nowNanos);
                    assertThat(queue.expireDue(nowNanos)).isEqualTo(!due.isEmpty());
                    due.forEach(armed -> expected.add("t" + armed.timer()));
                    due.forEach(armed -> reference.remove(armed.timer()));
                }
                case ASK -> assertThat(queue.nextDeadlineNanos()).isEqualTo(earliestOf(reference));
            }
            assertThat(timer.isArmed()).isEqualTo(reference.containsKey(step.timer()));
            assertThat(expired).isEqualTo(expected);
        }
    }

    private static List<Armed> dueIn(TreeMap<Integer, Armed> reference, long nowNanos) {
        return reference.values().stream()
                .filter(armed -> armed.deadlineNanos() <= nowNanos)
                .sorted(Comparator.comparingLong(Armed::deadlineNanos).thenComparingInt(Armed::order))
                .toList();
    }

    private static long earliestOf(TreeMap<Integer, Armed> reference) {
        return reference.values().stream().mapToLong(Armed::deadlineNanos).min().orElse(Long.MAX_VALUE);
    }
}

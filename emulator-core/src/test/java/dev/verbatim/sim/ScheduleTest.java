// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a schedule leaves to choices: what is open. */
class ScheduleTest {

    private record Event(String key, ChoicePoint point) implements PossibleEvent {}

    private final List<String> asked = new ArrayList<>();

    /** The last alternative of everything. */
    private final Choices last = (point, alternatives) -> {
        asked.add(point.label() + "/" + alternatives);
        return alternatives - 1;
    };

    private static List<Event> events(ChoicePoint... points) {
        return Stream.of(points).map(point -> new Event(point.label(), point)).toList();
    }

    @Test
    void withoutFreedomTheFirstEventIsNextAndNobodyIsAsked() {
        Schedule schedule = Schedule.by(last, OpenChoices.NONE);
        assertThat(schedule.next(events(ChoicePoint.ARRIVAL, ChoicePoint.PLACEMENT)))
                .isZero();
        assertThat(schedule.choose(ChoicePoint.KEY_INDEX, 5)).isZero();
        assertThat(schedule.chance(ChoicePoint.LINK_DROP, 1_000)).isFalse();
        assertThat(asked).isEmpty();
    }

    @Test
    void eventWhosePointIsOffIsNotPassedOver() {
        Schedule schedule = Schedule.by(last, OpenChoices.LEGAL.without(ChoicePoint.PLACEMENT));
        int next = schedule.next(events(
                ChoicePoint.ARRIVAL,
                ChoicePoint.REQUEST,
                ChoicePoint.PLACEMENT,
                ChoicePoint.ARRIVAL,
                ChoicePoint.REQUEST));
        assertThat(next).isEqualTo(2);
        assertThat(asked).containsExactly("arrival/3");
    }

    @Test
    void singleCandidateIsTakenWithoutAsking() {
        Schedule schedule = Schedule.by(last, OpenChoices.LEGAL.without(ChoicePoint.PLACEMENT));
        assertThat(schedule.next(events(ChoicePoint.PLACEMENT, ChoicePoint.ARRIVAL)))
                .isZero();
        assertThat(schedule.next(events(ChoicePoint.ARRIVAL))).isZero();
        assertThat(schedule.choose(ChoicePoint.KEY_INDEX, 1)).isZero();
        assertThat(asked).isEmpty();
    }

    @Test
    void afterTheLastFaultThatIsPermittedThereIsNone() {
        Schedule schedule = Schedule.by(last, OpenChoices.LEGAL.withFaults(2));
        assertThat(schedule.chance(ChoicePoint.LINK_DROP, 1_000)).isTrue();
        assertThat(schedule.choose(ChoicePoint.LINK_DELAY, 4)).isEqualTo(3);
        assertThat(schedule.chance(ChoicePoint.LINK_DROP, 1_000)).isFalse();
        assertThat(schedule.choose(ChoicePoint.LINK_DELAY, 4)).isZero();
        assertThat(schedule.choose(ChoicePoint.KEY_INDEX, 2)).as("no fault").isEqualTo(1);
        assertThat(asked).containsExactly("link-drop/1000", "link-delay/4", "key-index/2");
    }

    @Test
    void faultThatDoesNotHappenDoesNotCount() {
        Schedule schedule = Schedule.by(Choices.canonical(), OpenChoices.LEGAL.withFaults(1));
        for (int i = 0; i < 10; i++) {
            assertThat(schedule.chance(ChoicePoint.LINK_DROP, 500)).isFalse();
        }
        Schedule other = Schedule.by(last, OpenChoices.LEGAL.withFaults(1));
        assertThat(other.chance(ChoicePoint.LINK_DROP, 1)).isTrue();
    }

    @Test
    void runWithoutEventsIsAtItsEnd() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.by(last, OpenChoices.LEGAL).next(List.of()))
                .withMessageContaining("events.size()=0 < 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OpenChoices.LEGAL.withFaults(-1))
                .withMessageContaining("faults=-1 < 0");
    }

    @Test
    void freedomSaysWhichPointsAreOn() {
        assertThat(OpenChoices.NONE).hasToString("none");
        assertThat(OpenChoices.of(ChoicePoint.PLACEMENT, ChoicePoint.ARRIVAL)).hasToString("arrival,placement");
        assertThat(OpenChoices.NONE.with(ChoicePoint.LINK_DROP).withFaults(2).without(ChoicePoint.LINK_CORRUPT))
                .hasToString("link-drop,link-duplicate,link-delay,link-reorder,link-cut,device-silence,device-crash"
                        + " with at most 2 faults");
        assertThat(OpenChoices.LEGAL.points()).allMatch(point -> point.kind() != ChoicePoint.Kind.FAULT);
    }
}

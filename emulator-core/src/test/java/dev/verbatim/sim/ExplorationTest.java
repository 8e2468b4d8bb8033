// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.ToyProgram.Op;
import dev.verbatim.sim.ToyProgram.Step;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Toy systems whose outcomes are known, and the bounds of an exploration. */
@Tag("smoke")
class ExplorationTest {

    private static final ToyProgram MESSAGE_PASSING =
            ToyProgram.of(List.of(write(0), write(1)), List.of(read(1), read(0)));

    /** Each process writes its own cell, and reads the other's; the writes are seen late. */
    private static final ToyProgram STORE_BUFFERING = ToyProgram.of(
            List.of(Step.of(Op.WRITE_LATER, 0, 1), read(1)), List.of(Step.of(Op.WRITE_LATER, 1, 1), read(0)));

    private static final ToyProgram THREE_APART = ToyProgram.of(
            List.of(write(0), write(0), write(0)), List.of(write(1), write(1)), List.of(write(2), write(2)));

    private static Step write(int cell) {
        return Step.of(Op.WRITE, cell, 1);
    }

    private static Step read(int cell) {
        return Step.of(Op.READ, cell, 0);
    }

    @Test
    void flagIsNotSeenWithoutTheMessage() {
        assertThat(registers(OpenChoices.LEGAL, MESSAGE_PASSING))
                .containsExactlyInAnyOrder("[[], [0, 0]]", "[[], [0, 1]]", "[[], [1, 1]]");
    }

    @Test
    void withoutFreedomThereIsOneExecutionAndItIsTheCanonicalOne() {
        Explored explored = new Exploration(OpenChoices.NONE).run(MESSAGE_PASSING);
        assertThat(explored.executions()).isEqualTo(1);
        assertThat(explored.outcomes()).containsOnlyKeys("[1, 1, 0][[], [1, 1]][2, 2]");
    }

    @Test
    void bothReadsMayBeEarlierThanBothLateWrites() {
        assertThat(registers(OpenChoices.LEGAL, STORE_BUFFERING))
                .containsExactlyInAnyOrder("[[0], [0]]", "[[0], [1]]", "[[1], [0]]", "[[1], [1]]");
        assertThat(registers(OpenChoices.LEGAL, fenced(STORE_BUFFERING)))
                .containsExactlyInAnyOrder("[[0], [1]]", "[[1], [0]]", "[[1], [1]]");
    }

    private static ToyProgram fenced(ToyProgram program) {
        return ToyProgram.of(
                fenced(program.processes().get(0)), fenced(program.processes().get(1)));
    }

    private static List<Step> fenced(List<Step> process) {
        return List.of(process.get(0), Step.of(Op.FENCE, 0, 0), process.get(1));
    }

    @Test
    void consumerTakesInOrderWhateverTheProducersChose() {
        ToyProgram program = ToyProgram.of(
                List.of(Step.of(Op.CHOOSE, 0, 1), Step.of(Op.SEND, 0, 1), Step.of(Op.SEND, 0, 2)),
                List.of(Step.of(Op.RECEIVE, 0, 0), Step.of(Op.RECEIVE, 0, 0), read(0)));
        assertThat(registers(OpenChoices.LEGAL, program))
                .containsExactlyInAnyOrder("[[], [1, 2, 0]]", "[[], [1, 2, 1]]", "[[], [1, 2, 2]]");
        assertThat(registers(OpenChoices.LEGAL.without(ChoicePoint.KEY_INDEX), program))
                .containsExactly("[[], [1, 2, 0]]");
    }

    @Test
    void eventThatAnotherMakesImpossibleIsSeenBothWays() {
        ToyProgram program = ToyProgram.of(List.of(Step.of(Op.WRITE_LATER, 0, 1)), List.of(Step.of(Op.CANCEL, 0, 0)));
        assertThat(new Exploration(OpenChoices.LEGAL).run(program).outcomes())
                .containsOnlyKeys("[0, 0, 0][[], []][1, 1]", "[1, 0, 0][[], []][1, 1]");
    }

    /** The first process goes on at once, so that its first write does not change places with what the other does before its second. */
    @Test
    void eventThatSleepsIsNotNextWhereItBringsOneThatMustNotBePassedOver() {
        ToyProgram program = ToyProgram.of(
                List.of(Step.of(Op.WRITE, 2, 1), new Step(Op.WRITE, 0, 2, ChoicePoint.ARRIVAL)),
                List.of(Step.of(Op.WRITE_LATER, 2, 2), write(0)));
        OpenChoices openChoices = OpenChoices.LEGAL.without(ChoicePoint.ARRIVAL);
        assertThat(cells(openChoices, program)).containsExactly("[1, 0, 1]", "[1, 0, 2]", "[2, 0, 1]", "[2, 0, 2]");
    }

    @Test
    void processThatWaitsForGoodEndsTheRunWhereItStands() {
        ToyProgram program = ToyProgram.of(List.of(Step.of(Op.AWAIT, 0, 2)), List.of(write(0)));
        assertThat(new Exploration(OpenChoices.LEGAL).run(program).outcomes())
                .containsOnlyKeys("[1, 0, 0][[], []][0, 1]");
    }

    @Test
    void faultsHappenWithinTheirBudget() {
        ToyProgram program =
                ToyProgram.of(List.of(Step.of(Op.FAULTY_WRITE, 0, 1)), List.of(Step.of(Op.FAULTY_WRITE, 1, 1)));
        assertThat(cells(OpenChoices.LEGAL, program)).containsExactly("[1, 1, 0]");
        assertThat(cells(OpenChoices.LEGAL.withFaults(1), program))
                .containsExactly("[0, 1, 0]", "[1, 0, 0]", "[1, 1, 0]");
        assertThat(cells(OpenChoices.LEGAL.withFaults(2), program))
                .containsExactly("[0, 0, 0]", "[0, 1, 0]", "[1, 0, 0]", "[1, 1, 0]");
    }

    @Test
    void oneOrderStandsForAllOrdersOfEventsThatDoNotTouchEachOther() {
        Explored reduced = new Exploration(OpenChoices.LEGAL).run(THREE_APART);
        Explored all = new Exploration(OpenChoices.LEGAL).unreduced().run(THREE_APART);
        assertThat(reduced.executions()).isEqualTo(1);
        assertThat(all.executions()).as("7! / (3! 2! 2!)").isEqualTo(210);
        assertThat(all.outcomes().keySet()).isEqualTo(reduced.outcomes().keySet());
        assertThat(all.outcomes().values()).extracting(Explored.Outcome::count).containsExactly(210L);
    }

    @Test
    void exampleOfAnOutcomeShowsItAgain() {
        for (OpenChoices openChoices :
                List.of(OpenChoices.LEGAL, OpenChoices.LEGAL.without(ChoicePoint.PROGRAM_STEP))) {
            new Exploration(openChoices).run(STORE_BUFFERING).outcomes().forEach((outcome, seen) -> {
                ChoiceList example = ChoiceList.parse(seen.example().toString());
                assertThat(STORE_BUFFERING.run(Schedule.by(Choices.replayed(example), openChoices)))
                        .isEqualTo(outcome);
            });
        }
    }

    @Test
    void exampleIsTheExecutionWithTheFewestDeviations() {
        Explored explored = new Exploration(OpenChoices.LEGAL).unreduced().run(MESSAGE_PASSING);
        assertThat(explored.outcomes().get("[1, 1, 0][[], [1, 1]][2, 2]").example())
                .isEqualTo(ChoiceList.CANONICAL);
        assertThat(explored.outcomes().get("[1, 1, 0][[], [0, 1]][2, 2]").example())
                .hasToString("1:program-step=1/2");
    }

    @Test
    void explorationThatIsStoppedGoesOnWhereItWas() {
        Explored whole = new Exploration(OpenChoices.LEGAL).unreduced().run(STORE_BUFFERING);
        for (long most = 1; most < 7; most += 2) {
            Explored parts = startUnreduced(most).run(STORE_BUFFERING);
            for (ChoiceList next = parts.resumeAt(); next != null; next = parts.resumeAt()) {
                assertThat(parts.isComplete()).isFalse();
                parts = parts.followedBy(startUnreduced(most).from(next).run(STORE_BUFFERING));
            }
            assertThat(parts).hasToString(whole.toString());
            assertThat(parts.isComplete()).isTrue();
        }
    }

    private static Exploration startUnreduced(long most) {
        return new Exploration(OpenChoices.LEGAL).unreduced().atMostExecutions(most);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 5})
    void reducedExplorationThatIsStoppedFindsTheRestLater(long most) {
        Set<String> outcomes = new TreeSet<>();
        for (ChoiceList next = ChoiceList.CANONICAL; next != null; ) {
            Explored part = new Exploration(OpenChoices.LEGAL)
                    .atMostExecutions(most)
                    .from(next)
                    .run(STORE_BUFFERING);
            outcomes.addAll(part.outcomes().keySet());
            next = part.resumeAt();
        }
        assertThat(outcomes)
                .isEqualTo(new Exploration(OpenChoices.LEGAL)
                        .run(STORE_BUFFERING)
                        .outcomes()
                        .keySet());
    }

    @Test
    void partsUnderAllFirstChoicesAreTheWhole() {
        Explored whole = new Exploration(OpenChoices.LEGAL).unreduced().run(STORE_BUFFERING);
        Explored first = underFirst("1");
        Explored second = underFirst("0:program-step=1/2");
        assertThat(first.executions() + second.executions()).isEqualTo(whole.executions());
        assertThat(first.and(second).outcomes()).isEqualTo(whole.outcomes());
        assertThat(first.and(second).isComplete()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 40, 10_000})
    void partsIntoWhichItIsSplitAreTheWhole(int parts) {
        Explored whole = new Exploration(OpenChoices.LEGAL).unreduced().run(STORE_BUFFERING);
        List<ChoiceList> prefixes = new Exploration(OpenChoices.LEGAL).split(STORE_BUFFERING, parts);
        assertThat(prefixes).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo((int)
                Math.min(parts, whole.executions()));
        Explored sum = prefixes.stream()
                .map(prefix -> new Exploration(OpenChoices.LEGAL)
                        .unreduced()
                        .under(prefix)
                        .run(STORE_BUFFERING))
                .reduce(Explored::and)
                .orElseThrow();
        assertThat(sum.executions()).isEqualTo(whole.executions());
        assertThat(sum.outcomes()).isEqualTo(whole.outcomes());
    }

    private static Explored underFirst(String prefix) {
        return new Exploration(OpenChoices.LEGAL)
                .unreduced()
                .under(ChoiceList.parse(prefix))
                .run(STORE_BUFFERING);
    }

    @Test
    void runOfTooManyEventsIsCutAndTheResultIncomplete() {
        Explored explored = new Exploration(OpenChoices.LEGAL).atMostEvents(3).run(MESSAGE_PASSING);
        assertThat(explored.isComplete()).isFalse();
        assertThat(explored.executions()).isZero();
        assertThat(explored.cutShort()).isEqualTo(3);
        assertThat(explored.toString()).startsWith("incomplete: 0 outcomes").contains("3 runs had too many events");
    }

    @Test
    void explorationStopsWhenItsTimeIsUpAndTellsHowFarItCame() {
        long[] nanos = {0};
        List<String> reports = new ArrayList<>();
        Explored explored = new Exploration(OpenChoices.LEGAL)
                .unreduced()
                .atMostNanos(() -> nanos[0] += 10, 500)
                .reporting(10, part -> reports.add(part.executions() + " " + part.isComplete()))
                .run(THREE_APART);
        assertThat(explored.executions()).isEqualTo(50);
        assertThat(explored.stop()).isEqualTo("after 0.0000005 s");
        assertThat(explored.resumeAt()).isNotNull();
        assertThat(reports).containsExactly("10 false", "20 false", "30 false", "40 false");
    }

    @Test
    void resultSaysWhatCompleteMeans() {
        String text = new Exploration(OpenChoices.of(ChoicePoint.PROGRAM_STEP).withFaults(1))
                .run(MESSAGE_PASSING)
                .toString();
        assertThat(text)
                .startsWith("complete: 3 outcomes in ")
                .contains("points on: program-step,link-drop,")
                .contains("at most 1 faults")
                .contains("one for all orders of events that do not touch each other")
                .contains("[1, 1, 0][[], [1, 1]][2, 2]  1 times, as in canonical");
    }

    @Test
    void tallyCountsTheChoicesOfAllExecutions() {
        Explored explored = new Exploration(OpenChoices.LEGAL).unreduced().run(THREE_APART);
        assertThat(explored.tally().asked(ChoicePoint.PROGRAM_STEP)).isGreaterThan(210);
        assertThat(explored.tally().deviated(ChoicePoint.PROGRAM_STEP))
                .isPositive()
                .isLessThan(explored.tally().asked(ChoicePoint.PROGRAM_STEP));
    }

    @Test
    void runThatFailsIsNamedByItsChoices() {
        Exploration.Program failing = schedule -> {
            String outcome = MESSAGE_PASSING.run(schedule);
            assertThat(outcome).doesNotContain("[0, 1]");
            return outcome;
        };
        assertThatExceptionOfType(FailedRun.class)
                .isThrownBy(() -> new Exploration(OpenChoices.LEGAL).run(failing))
                .withCauseInstanceOf(AssertionError.class)
                .satisfies(failed -> assertThat(
                                MESSAGE_PASSING.run(Schedule.by(Choices.replayed(failed.choices()), OpenChoices.LEGAL)))
                        .contains("[0, 1]"));
    }

    @Test
    void programThatDoesNotDoTheSameAgainIsRefused() {
        int[] runs = {0};
        Exploration.Program fickle = schedule -> (runs[0]++ % 2 == 0 ? MESSAGE_PASSING : STORE_BUFFERING).run(schedule);
        assertThatExceptionOfType(FailedRun.class)
                .isThrownBy(() -> new Exploration(OpenChoices.LEGAL).unreduced().run(fickle))
                .withMessageContaining("the program must do the same in all runs that begin alike");
    }

    @Test
    void programThatEndsWhileSomethingIsPossibleIsRefused() {
        Exploration.Program hasty = schedule -> {
            List<Event> events = new ArrayList<>(List.of(new Event("a"), new Event("b")));
            Event event = events.get(schedule.next(events));
            schedule.happened(event, new Footprint().changes(event.key()));
            return event.key();
        };
        assertThatExceptionOfType(FailedRun.class)
                .isThrownBy(() -> new Exploration(OpenChoices.LEGAL).run(hasty))
                .withMessageContaining("a run ended after \"a\", while \"b\"");
        assertThat(new Exploration(OpenChoices.LEGAL).unreduced().run(hasty).outcomes())
                .containsOnlyKeys("a", "b");
    }

    @Test
    void twoEventsOfOneKeyAreRefused() {
        assertThatExceptionOfType(FailedRun.class)
                .isThrownBy(() -> new Exploration(OpenChoices.LEGAL).run(schedule -> {
                    schedule.next(List.of(new Event("a"), new Event("a")));
                    return "";
                }))
                .withMessageContaining("key=\"a\" is that of two events");
    }

    private record Event(String key) implements PossibleEvent {
        @Override
        public ChoicePoint point() {
            return ChoicePoint.PROGRAM_STEP;
        }
    }

    private static Set<String> registers(OpenChoices openChoices, ToyProgram program) {
        Set<String> registers = new TreeSet<>();
        for (String outcome : explore(openChoices, program)) {
            registers.add(outcome.substring(outcome.indexOf(']') + 1, outcome.lastIndexOf('[')));
        }
        return registers;
    }

    private static Set<String> cells(OpenChoices openChoices, ToyProgram program) {
        Set<String> cells = new TreeSet<>();
        for (String outcome : explore(openChoices, program)) {
            cells.add(outcome.substring(0, outcome.indexOf(']') + 1));
        }
        return cells;
    }

    private static Set<String> explore(OpenChoices openChoices, ToyProgram program) {
        Explored explored = new Exploration(openChoices).run(program);
        assertThat(explored.isComplete()).isTrue();
        return explored.outcomes().keySet();
    }

    /** Footprints of a run are compared with those of runs before it. */
    @Test
    void memoryThatIsAllocatedBeforeTheSimulationHasTheSameAddressInEachRun() {
        Set<Long> addresses = new TreeSet<>();
        Exploration.Program program = schedule -> {
            Memory before = Memory.allocate(Long.BYTES);
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.TIMELESS)) {
                Memory within = Memory.allocate(Long.BYTES);
                addresses.add(before.address());
                addresses.add(within.address());
                List<Long> loaded = new ArrayList<>();
                simulation.node("stores", node -> {
                    node.store(before, 0, 1);
                    node.store(before, 0, 2);
                });
                simulation.node("loads", node -> loaded.add(node.load(before, 0)));
                simulation.run();
                return loaded + " of " + Memory.allocate(Long.BYTES);
            }
        };

        Explored explored = new Exploration(OpenChoices.LEGAL).run(program);

        assertThat(explored.outcomes().keySet())
                .hasSize(3)
                .isEqualTo(new Exploration(OpenChoices.LEGAL)
                        .unreduced()
                        .run(program)
                        .outcomes()
                        .keySet());
        assertThat(addresses).hasSize(2);
        assertThat(AddressSpace.current()).hasToString("addresses of the process");
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.ToyProgram.Op;
import dev.verbatim.sim.ToyProgram.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Failures get small, and stay failures. */
class ShrinkerTest {

    /** Fails if the program holds 3 and then 7, and at 3 the third alternative is taken. */
    private static boolean fails(List<Integer> program, Choices choices) {
        boolean armed = false;
        for (int step : program) {
            int taken = choices.choose(step == 3 ? ChoicePoint.PLACEMENT : ChoicePoint.ARRIVAL, 6);
            armed |= step == 3 && taken >= 2;
            if (step == 7 && armed) {
                return true;
            }
        }
        return false;
    }

    private static final List<Integer> LONG =
            IntStream.range(0, 100).map(i -> i % 10).boxed().toList();

    /** The choices of a seed with which it fails. */
    private static <T> ChoiceList failing(List<T> program, BiPredicate<List<T>, Choices> fails) {
        for (long seed = 0; seed < 10_000; seed++) {
            ChoiceRecord record = Choices.recorded(Choices.seeded(seed));
            if (fails.test(program, record)) {
                return record.list();
            }
        }
        throw new AssertionError("no seed fails");
    }

    @Test
    void programAndChoicesShrinkToWhatTheFailureNeeds() {
        ChoiceList choices = failing(LONG, ShrinkerTest::fails);
        Shrunk<Integer> shrunk = new Shrinker(10_000).shrink(LONG, choices, ShrinkerTest::fails);
        assertThat(shrunk.program()).containsExactly(3, 7);
        assertThat(shrunk.choices()).hasToString("0:placement=2/6");
        assertThat(shrunk.isSmallest()).isTrue();
        assertThat(new Shrinker(10_000).shrink(LONG, choices, ShrinkerTest::fails))
                .isEqualTo(shrunk);
    }

    @Test
    void choicesAloneShrinkWhereTheProgramStaysAsItIs() {
        ChoiceList choices = failing(LONG, ShrinkerTest::fails);
        ChoiceList shrunk = new Shrinker(10_000).shrink(choices, tried -> fails(LONG, tried));
        assertThat(shrunk).hasToString("3:placement=2/6");
        assertThat(fails(LONG, Choices.replayed(shrunk))).isTrue();
    }

    @Test
    void failureThatNeedsNoChoiceShrinksToCanonicalChoices() {
        ChoiceList choices = failing(LONG, (program, tried) -> {
            fails(program, tried);
            return program.contains(5);
        });
        Shrunk<Integer> shrunk = new Shrinker(1_000).shrink(LONG, choices, (program, tried) -> program.contains(5));
        assertThat(shrunk.program()).containsExactly(5);
        assertThat(shrunk.choices()).isEqualTo(ChoiceList.CANONICAL);
    }

    @Test
    void withoutEnoughTriesTheSmallestThatWasFoundIsTheResult() {
        ChoiceList choices = failing(LONG, ShrinkerTest::fails);
        List<Shrunk<?>> seen = new ArrayList<>();
        Shrunk<Integer> shrunk = new Shrinker(20, seen::add).shrink(LONG, choices, ShrinkerTest::fails);
        assertThat(shrunk.tries()).isEqualTo(20);
        assertThat(shrunk.isSmallest()).isFalse();
        assertThat(shrunk.program()).hasSizeBetween(2, 99);
        assertThat(fails(shrunk.program(), Choices.replayed(shrunk.choices()))).isTrue();
        assertThat(seen).isNotEmpty();
        assertThat(seen.get(seen.size() - 1).program()).isEqualTo(shrunk.program());
        assertThat(new Shrinker(0).shrink(LONG, choices, ShrinkerTest::fails).program())
                .isEqualTo(LONG);
        assertThatIllegalArgumentException().isThrownBy(() -> new Shrinker(-1)).withMessageContaining("mostTries=-1");
    }

    /** Sees the flag without the message that was written before it. */
    private static boolean losesAMessage(List<Step> writer, Choices choices) {
        List<Step> reader = List.of(Step.of(Op.READ, 1, 0), Step.of(Op.READ, 0, 0));
        String outcome = ToyProgram.of(writer, reader).run(Schedule.by(choices, OpenChoices.LEGAL));
        return outcome.startsWith("[1, 1,") && outcome.contains("[1, 0]");
    }

    @Test
    void weakMemoryShrinksToTheWriteThatIsLateAndTheFlag() {
        List<Step> writer = List.of(
                Step.of(Op.WRITE, 2, 1),
                Step.of(Op.WRITE_LATER, 0, 1),
                Step.of(Op.CHOOSE, 2, 1),
                Step.of(Op.WRITE, 1, 1),
                Step.of(Op.WRITE, 2, 2));
        ChoiceList choices = failing(writer, ShrinkerTest::losesAMessage);
        Shrunk<Step> shrunk = new Shrinker(10_000).shrink(writer, choices, ShrinkerTest::losesAMessage);
        assertThat(shrunk.program()).extracting(Step::op).containsExactly(Op.WRITE_LATER, Op.WRITE);
        assertThat(shrunk.choices().deviations()).hasSizeLessThanOrEqualTo(3);
        assertThat(losesAMessage(shrunk.program(), Choices.replayed(shrunk.choices())))
                .isTrue();
    }
}

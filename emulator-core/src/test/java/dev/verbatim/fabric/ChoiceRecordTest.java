// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What was decided is written down, and decided again. */
class ChoiceRecordTest {

    /** Asks for a choice of so many, or with 0 for a chance. */
    private static List<Integer> ask(Choices choices, List<Integer> questions) {
        List<Integer> answers = new ArrayList<>();
        for (int alternatives : questions) {
            ChoicePoint point = ChoicePoint.values()[alternatives];
            answers.add(alternatives > 0 ? choices.choose(point, alternatives) : choices.chance(point, 300) ? 1 : 0);
        }
        return answers;
    }

    @Property
    void replayOfARecordDecidesTheSameAndIsRecordedAlike(
            @ForAll long seed, @ForAll @Size(max = 40) List<@IntRange(max = 6) Integer> questions) {
        ChoiceRecord record = Choices.recorded(Choices.seeded(seed));
        List<Integer> answers = ask(record, questions);
        ChoiceRecord again =
                Choices.recorded(Choices.replayed(ChoiceList.parse(record.list().toString())));
        assertThat(ask(again, questions)).isEqualTo(answers);
        assertThat(again.list()).isEqualTo(record.list());
        assertThat(again.tally()).hasToString(record.tally().toString());
    }

    @Property
    void recordingChangesNothing(
            @ForAll long seed, @ForAll @Size(max = 40) List<@IntRange(max = 6) Integer> questions) {
        assertThat(ask(Choices.recorded(Choices.seeded(seed)), questions))
                .isEqualTo(ask(Choices.seeded(seed), questions));
    }

    @Test
    void choiceWithoutAlternativesIsNotWrittenDown() {
        ChoiceRecord record = Choices.recorded(Choices.seeded(1));
        record.choose(ChoicePoint.ARRIVAL, 1);
        record.chance(ChoicePoint.LINK_DROP, 0);
        assertThat(record.list()).isEqualTo(ChoiceList.CANONICAL);
        assertThat(record.tally().asked(ChoicePoint.ARRIVAL)).isZero();
    }

    @Test
    void behindTheEndOfTheListChoicesAreCanonical() {
        Choices replay = Choices.replayed(ChoiceList.parse("1:arrival=2/3"));
        assertThat(ask(replay, List.of(3))).containsExactly(0);
        assertThat(replay.choose(ChoicePoint.ARRIVAL, 3)).isEqualTo(2);
        assertThat(ask(replay, List.of(3, 2, 0))).containsExactly(0, 0, 0);
    }

    @Test
    void replayThatIsAskedForSomethingElseSaysWhereAndWhat() {
        Choices otherPoint = Choices.replayed(ChoiceList.parse("1:arrival=2/3"));
        otherPoint.choose(ChoicePoint.PLACEMENT, 2);
        assertThatIllegalStateException()
                .isThrownBy(() -> otherPoint.choose(ChoicePoint.PLACEMENT, 3))
                .withMessageContaining(
                        "choice 1 was recorded as 1:arrival=2/3, but the run asks for placement with alternatives=3");
        assertThatIllegalStateException()
                .as("whoever swallowed it hears it again")
                .isThrownBy(() -> otherPoint.choose(ChoicePoint.ARRIVAL, 3))
                .withMessageContaining("choice 1 was recorded as");
        Choices otherNumber = Choices.replayed(ChoiceList.parse("0:arrival=2/3"));
        assertThatIllegalStateException()
                .isThrownBy(() -> otherNumber.choose(ChoicePoint.ARRIVAL, 4))
                .withMessageContaining("alternatives=4");
    }

    @Test
    void runThatMakesTooManyChoicesIsRefused() {
        ChoiceRecord record = new ChoiceRecord(Choices.canonical(), 3);
        ask(record, List.of(2, 3, 4));
        assertThatIllegalStateException()
                .isThrownBy(() -> record.choose(ChoicePoint.ARRIVAL, 2))
                .withMessageContaining("mostChoices=3");
    }

    @Test
    void tallyCountsPerPointAndAddsUp() {
        ChoiceRecord first = Choices.recorded(Choices.replayed(ChoiceList.parse("1:arrival=2/3")));
        first.choose(ChoicePoint.ARRIVAL, 3);
        first.choose(ChoicePoint.ARRIVAL, 3);
        ChoiceTally sum = new ChoiceTally().add(first.tally()).add(first.tally());
        assertThat(sum.asked(ChoicePoint.ARRIVAL)).isEqualTo(4);
        assertThat(sum.deviated(ChoicePoint.ARRIVAL)).isEqualTo(2);
        assertThat(sum.toString().lines())
                .hasSize(1 + ChoicePoint.values().length)
                .anyMatch(line -> line.matches("arrival +4 +2 +N2 N6 N7"))
                .anyMatch(line -> line.matches("link-drop +0 +0 +N-05 N9 N13"));
    }

    @Test
    void chanceIsDrawnByItsOdds() {
        Choices choices = Choices.seeded(5);
        int happened = 0;
        for (int i = 0; i < 10_000; i++) {
            happened += choices.chance(ChoicePoint.LINK_DROP, 250) ? 1 : 0;
        }
        assertThat(happened).isBetween(2_300, 2_700);
    }
}

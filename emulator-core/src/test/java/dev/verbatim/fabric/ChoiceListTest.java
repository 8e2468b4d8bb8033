// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.fabric.ChoiceList.Deviation;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of choices, and the line of text that they fit on. */
class ChoiceListTest {

    @Provide
    Arbitrary<ChoiceList> lists() {
        Arbitrary<Deviation> steps = Combinators.combine(
                        Arbitraries.integers().between(0, 9),
                        Arbitraries.of(ChoicePoint.class),
                        Arbitraries.integers().between(1, 5),
                        Arbitraries.integers().between(1, 5))
                .as((gap, point, taken, more) -> new Deviation(gap, point, taken + more, taken));
        return Combinators.combine(
                        steps.list().ofMaxSize(12), Arbitraries.integers().between(0, 5))
                .as(ChoiceListTest::inARow);
    }

    private static ChoiceList inARow(List<Deviation> steps, int more) {
        List<Deviation> deviations = new ArrayList<>();
        int next = 0;
        for (Deviation step : steps) {
            int position = next + step.position();
            deviations.add(new Deviation(position, step.point(), step.alternatives(), step.taken()));
            next = position + 1;
        }
        return new ChoiceList(next + more, deviations);
    }

    @Property
    void listIsReadFromItsText(@ForAll("lists") ChoiceList list) {
        assertThat(ChoiceList.parse(list.toString())).isEqualTo(list);
        assertThat(list.toString()).doesNotContain("\n", " ");
    }

    @Property
    void trimmedListLacksFirstAlternativesAtItsEndOnly(@ForAll("lists") ChoiceList list) {
        ChoiceList trimmed = list.trimmed();
        assertThat(trimmed.deviations()).isEqualTo(list.deviations());
        assertThat(trimmed.prefix(list.length())).isEqualTo(list);
        assertThat(trimmed.length()).isLessThanOrEqualTo(list.length());
    }

    @Test
    void textNamesPositionPointAndAlternative() {
        ChoiceList list = new ChoiceList(
                20,
                List.of(
                        new Deviation(3, ChoicePoint.READ_FETCH, 2, 1),
                        new Deviation(17, ChoicePoint.PLACEMENT, 5, 4)));
        assertThat(list).hasToString("3:read-fetch=1/2,17:placement=4/5,20");
        assertThat(list.trimmed()).hasToString("3:read-fetch=1/2,17:placement=4/5");
        assertThat(list.prefix(17)).hasToString("3:read-fetch=1/2,17");
        assertThat(list.prefix(2)).hasToString("2");
        assertThat(ChoiceList.CANONICAL).hasToString("canonical");
        assertThat(ChoiceList.parse(" canonical\n")).isEqualTo(ChoiceList.CANONICAL);
    }

    @ParameterizedTest
    @EnumSource
    void everyPointIsFoundByItsLabel(ChoicePoint point) {
        assertThat(ChoicePoint.labelled(point.label())).isEqualTo(point);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "-1",
                "3:",
                "3:read-fetch",
                "3:read-fetch=1",
                "3:read-fetch=1/x",
                "99999999999",
                "1,",
                ",1",
                "2,3"
            })
    void textThatIsNoListIsRefusedWithThePartThatIsNoChoice(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChoiceList.parse(text))
                .withMessageContaining("is no choice; a list is \"canonical\"");
    }

    @Test
    void listThatContradictsItselfIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChoiceList.parse("3:read-fetch=1/2,3:arrival=1/2"))
                .withMessageContaining("3:arrival=1/2 is not behind the one before it");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChoiceList.parse("3:read-fetch=1/2,3"))
                .withMessageContaining("length=3 < 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChoiceList.parse("3:read-fetch=2/2"))
                .withMessageContaining("taken=2 is not in 1..1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChoiceList.parse("3:read-fetch=0/2"))
                .withMessageContaining("taken=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChoiceList.parse("3:red-fetch=1/2"))
                .withMessageContaining("choice point \"red-fetch\" is none of program-step, ");
    }
}

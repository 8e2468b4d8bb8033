// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Tries;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The labels that the cases declare are those that a walk through all their runs computes. */
class MisuseLabelsTest {

    private static final long MOST_EXECUTIONS = 200_000;

    /** Every so many cases in a build, all of them in a full run. */
    private static final int EVERY = Tries.of("misuse.every", 12, 4, 1);

    private static Stream<MisuseCase> cases() {
        List<MisuseCase> all = Stream.of("gaspi", "verbs", "silent")
                .flatMap(group -> MisuseCase.of(group).stream())
                .toList();
        return Stream.iterate(0, i -> i < all.size(), i -> i + EVERY).map(all::get);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void caseHasAsManyOutcomesAsItsLabelSays(MisuseCase each) {
        ComputedLabel computed = ComputedLabel.of(each.scenario(), MOST_EXECUTIONS);

        assertThat(computed.label()).as("%s: %s", each, computed).isEqualTo(each.label());
        assertThat(computed.outcomes()).as("no step of %s fails", each).noneMatch(outcome -> outcome.contains(" but "));
    }

    @Test
    void groupHasAsManyCasesAsTheTableSays() {
        assertThat(MisuseCase.of("gaspi"))
                .filteredOn(each -> each.theirs() != null)
                .hasSize(60);
        assertThat(MisuseCase.of("verbs"))
                .filteredOn(each -> each.label() == Label.YES)
                .hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void caseHasATwinOfTheOtherLabel() {
        List<MisuseCase> verbs = MisuseCase.of("verbs");

        assertThat(verbs)
                .filteredOn(each -> each.label() == Label.YES)
                .allMatch(each -> verbs.stream()
                        .anyMatch(twin -> twin.name().equals(each.name() + "-twin") && twin.label() == Label.NO));
        assertThat(MisuseCase.of("gaspi"))
                .filteredOn(each -> each.theirs() != null && each.theirs() != each.label())
                .allMatch(each -> MisuseCase.of("gaspi").stream()
                        .anyMatch(twin -> twin.name().equals(each.name() + "-twin") && twin.label() == each.theirs()));
    }
}

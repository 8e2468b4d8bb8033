// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which numbers are given out again. */
class NumberedTableTest {

    private final NumberedTable<String> table = new NumberedTable<>(0xff_fff0, 0xff_ffff);

    private int take() {
        int number = table.nextFree();
        table.put(number, "object " + number);
        return number;
    }

    @Test
    void freedNumberComesBackOnlyAfterAllOthersWereGivenOut() {
        List<Integer> firstRound = new ArrayList<>();
        List<Integer> secondRound = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            int number = take();
            table.remove(number);
            (i < 16 ? firstRound : secondRound).add(number);
        }
        assertThat(firstRound).doesNotHaveDuplicates().hasSize(16).first().isEqualTo(0xff_fff0);
        assertThat(secondRound).isEqualTo(firstRound);
    }

    @Test
    void takenNumberIsPassedOverWhenTheRoundStartsAnew() {
        int kept = take();
        for (int i = 1; i < 16; i++) {
            table.remove(take());
        }
        assertThat(take()).isEqualTo(kept + 1);
        assertThat(table.get(kept)).isEqualTo("object " + kept);
    }

    @Test
    void fullTableSaysSoAndServesAgainWhenOneIsFreed() {
        for (int i = 0; i < 16; i++) {
            take();
        }
        assertThat(table.nextFree()).isEqualTo(-1);
        table.remove(0xff_fff7);
        assertThat(take()).isEqualTo(0xff_fff7);
        assertThat(table.size()).isEqualTo(16);
    }

    @Test
    void numbersOutsideTheRangeNameNothing() {
        take();
        assertThat(table.get(0)).isNull();
        assertThat(table.get(-1)).isNull();
        assertThat(table.get(1 << 24)).isNull();
    }

    @Test
    void objectsAreFoundAndVisitedInOrderWhateverTheOrderOfTheirNumbers() {
        int first = 1 << 19;
        int last = first + 2_999;
        // 7 has no factor in common with 3,000: every number once, far from the one before.
        NumberedTable<Integer> sparse =
                new NumberedTable<>(first, last, number -> first + (number - first) * 7 % 3_000);
        for (int i = 0; i < 2_500; i++) {
            int number = sparse.nextFree();
            sparse.put(number, number);
        }
        List<Integer> visited = new ArrayList<>();
        sparse.forEach(visited::add);
        assertThat(visited).hasSize(2_500).isSorted().doesNotHaveDuplicates();
        assertThat(visited).allMatch(number -> number.equals(sparse.get(number)));
        assertThat(List.of(0, first - 1, last + 1, Integer.MAX_VALUE, Integer.MIN_VALUE))
                .allMatch(number -> sparse.get(number) == null);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.ChoicePoint;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Choice points in words. */
class PointWordsTest {

    @Test
    void eachAlternativeHasWordsThatAreNotThoseOfANumber() {
        assertThat(Stream.of(ChoicePoint.values()).filter(point -> point.kind() == ChoicePoint.Kind.ALTERNATIVE))
                .allSatisfy(point -> assertThat(PointWords.of(point))
                        .as(point.label())
                        .isNotEqualTo(PointWords.of(ChoicePoint.KEY_INDEX)));
    }
}

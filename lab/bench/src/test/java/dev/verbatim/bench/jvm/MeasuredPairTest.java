// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.Verbatim;
import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.sanitizer.Sanitizer;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredPairTest {

    private static final int REGION_BYTES = 64;
    private static final int DEPTH = 16;

    private static MeasuredPair sanitizedBy(Sanitizer sanitizer) {
        return MeasuredPair.inProcess(Verbatim.inProcess().sanitize(sanitizer), REGION_BYTES, DEPTH);
    }

    @Test
    void sanitizerFindsTheMistakeThatIsMadeForIt() {
        Sanitizer sanitizer = Sanitizer.withSites();
        try (MeasuredPair pair = sanitizedBy(sanitizer)) {
            pair.verifySanitizer();
            pair.verifySanitizer();
        }
        assertThat(sanitizer.errors()).hasSize(1).first().satisfies(found -> {
            assertThat(found.mistake()).isEqualTo(Mistake.S2);
            assertThat(found.places()).singleElement().asString().startsWith("ActiveSide.java:");
        });
    }

    @Test
    void sanitizerThatDoesNotFindItFailsTheLine() {
        try (MeasuredPair pair = sanitizedBy(Sanitizer.withoutSites().silence(Mistake.S2, "to see the failure"))) {
            assertThatThrownBy(pair::verifySanitizer)
                    .isInstanceOf(BenchFailure.class)
                    .hasMessageContaining("did not find the mistake that was made for it");
        }
    }

    @Test
    void anotherMistakeIsNotTakenForIt() {
        Sanitizer sanitizer = Sanitizer.withoutSites();
        MeasuredPair pair = sanitizedBy(sanitizer);
        pair.verifySanitizer();
        sanitizer.report(Finding.of(Mistake.S4, "", List.of(), "another one"));
        assertThatThrownBy(pair::close).isInstanceOf(BenchFailure.class).hasMessageContaining("another one");
    }

    @Test
    void withoutASanitizerNothingIsDone() {
        try (MeasuredPair pair = MeasuredPair.inProcess(Verbatim.inProcess(), REGION_BYTES, DEPTH)) {
            pair.remote().poke(0, 1);
            pair.verifySanitizer();
            assertThat(pair.active().region().memory().buffer().getLong(0)).isZero();
        }
    }
}

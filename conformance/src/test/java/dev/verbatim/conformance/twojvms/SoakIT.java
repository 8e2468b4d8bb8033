// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.twojvms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.Main;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Twenty seconds of random verbs, in a JVM that does nothing else, so that whatever is left there was left by them. */
@Timeout(300)
class SoakIT {

    @ParameterizedTest
    @CsvSource({"tcp, 16", "in-process, 4"})
    void everyRequestIsAccountedForAndNothingIsLeft(String fabric, String seconds) {
        try (Jvm soak = Jvm.start(Main.class, "soak", "--fabric", fabric, "--seconds", seconds, "--seed", "6")) {
            soak.ends(0);
            assertThat(soak.told()).noneMatch(line -> line.startsWith("WRONG"));
            assertThat(soak.told()).anyMatch(line -> line.matches("  missing +0 +0\\.0/s"));
            assertThat(soak.told())
                    .last()
                    .asString()
                    .startsWith("seed 6, 8 threads, " + fabric + ", ")
                    .endsWith("every request is accounted for, nothing is left open");
        }
    }
}

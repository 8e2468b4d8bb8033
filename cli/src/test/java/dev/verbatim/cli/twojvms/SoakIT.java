// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.twojvms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.Main;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Tries;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Some seconds of random verbs, in a JVM that does nothing else, so that whatever is left there was left by them. */
@Timeout(600)
@LongTest
class SoakIT {

    private static final String SECONDS = Integer.toString(Tries.of("soak.seconds", 6, 6, 30));

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "in-process"})
    void everyRequestIsAccountedForAndNothingIsLeft(String fabric) {
        try (Jvm soak = Jvm.start(Main.class, "soak", "--fabric", fabric, "--seconds", SECONDS, "--seed", "6")) {
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

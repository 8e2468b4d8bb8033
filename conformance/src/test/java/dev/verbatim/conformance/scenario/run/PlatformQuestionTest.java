// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.conformance.scenario.run.PlatformQuestion.Answer;
import dev.verbatim.visibility.Platform;
import dev.verbatim.visibility.Weakness;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is known of an outcome, and what of it where there is no time. */
class PlatformQuestionTest {

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    /** Each look at it takes a second. */
    private final AtomicLong nowNanos = new AtomicLong();

    private static Scenario shipped(String name) {
        return ScenarioReader.read(ShippedFiles.all().stream()
                        .filter(file -> file.endsWith(name + ".yaml"))
                        .findAny()
                        .orElseThrow())
                .scenario();
    }

    private PlatformQuestion question(String name, String outcome, long mostNanos) {
        return new PlatformQuestion(
                shipped(name),
                OutcomePattern.parse(outcome),
                () -> nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(1)),
                mostNanos);
    }

    @Test
    void withoutTimeNothingIsKnownAndEveryWeaknessMayBeNeeded() {
        PlatformQuestion question = question("VL-35", "x=0", 1);

        assertThat(question.on(Platform.GPU_ONE_PATH)).isEqualTo(Answer.UNKNOWN);
        assertThat(question.isCertain()).isFalse();
        assertThat(question.needs()).containsExactlyElementsOf(Platform.AS_SPECIFIED.weaknesses());
    }

    @Test
    void whatWasSeenIsKnownHoweverShortTheTimeWas() {
        PlatformQuestion question = question("VL-35", "x=1", 1);

        assertThat(question.on(Platform.GPU_ONE_PATH)).isEqualTo(Answer.PERMITTED);
        assertThat(question.isCertain()).isTrue();
    }

    @Test
    void withTimeOnlyWhatIsNeededIsLeft() {
        PlatformQuestion question =
                new PlatformQuestion(shipped("VL-35"), OutcomePattern.parse("x=0"), System::nanoTime, PATIENCE_NANOS);

        assertThat(question.on(Platform.COHERENT_HOST)).isEqualTo(Answer.FORBIDDEN);
        assertThat(question.needs()).containsExactly(Weakness.STORES_AWAIT_RELEASE, Weakness.DEVICE_FENCE_STAYS);
        assertThat(question.isCertain()).isTrue();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.ShippedScenarios;
import dev.verbatim.testing.Tries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each shipped scenario and each lesson in each of the things that can be done with one: none of them says what the file does not.
 * Whatever is drawn is written as a page, too.
 */
class EveryScenarioTest {

    private static final int EXPLORED = Tries.of("agree.seeds", 4, 60, 1_000);
    private static final int EVERY = Tries.of("agree.every", 7, 1, 1);

    /** So many times the clock is asked before a walk ends that is larger. */
    private static final long MOST_LOOKS = 20_000;

    @TempDir
    private Path directory;

    private static Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        ShippedScenarios.names().forEach(name -> texts.put(name, String.valueOf(ShippedScenarios.text(name))));
        Lesson.all().forEach(lesson -> texts.put("lesson " + lesson.title(), lesson.text()));
        return texts;
    }

    private StudioJob job(String text, Map<String, String> words) {
        AtomicLong looks = new AtomicLong();
        StudioJob job = new StudioJob(
                1, StudioRequest.of(words, text), directory, MOST_LOOKS, EXPLORED, looks::incrementAndGet);
        job.run();
        return job;
    }

    private void agree(Map<String, String> words, Set<StudioJob.State> ends, String said, String notSaid, int every) {
        List<String> wrong = new ArrayList<>();
        int number = 0;
        for (Map.Entry<String, String> each : texts().entrySet()) {
            if (number++ % every == 0) {
                StudioJob job = job(each.getValue(), words);
                String sentence = job.sentence();
                boolean agrees = ends.contains(job.state())
                        && job.page() != null
                        && sentence.contains(said)
                        && !sentence.contains(notSaid);
                if (!agrees) {
                    wrong.add(each.getKey() + ": " + job.state() + ", " + sentence);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void runsEndAsTheFilesSay() {
        for (String seed : List.of("", "1", "8")) {
            agree(
                    Map.of("kind", "run", "seed", seed),
                    Set.of(StudioJob.State.DONE),
                    "As expected: ",
                    "Not as expected",
                    EVERY);
        }
    }

    @Test
    void explorationsHaveTheOutcomesOfTheFiles() {
        agree(
                Map.of("kind", "litmus"),
                Set.of(StudioJob.State.DONE, StudioJob.State.STOPPED),
                "As expected: ",
                "Not as expected",
                EVERY);
    }

    @Test
    void randomRunsWithFaultsAreJudgedByWhatIsKnown() {
        long begin = System.nanoTime();
        agree(Map.of("kind", "explore"), Set.of(StudioJob.State.DONE), " 0 failures", "with the seeds", 1);
        System.out.println(EXPLORED + " seeds of " + texts().size() + " scenarios took "
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms");
    }
}

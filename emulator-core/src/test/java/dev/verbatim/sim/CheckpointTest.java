// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.testing.Tries;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Explorations whose process ends between two runs, and that another goes on with from bytes. */
class CheckpointTest {

    private static final int PROGRAMS = Tries.of("checkpoints", 12, 60, 500);
    private static final long MOST_RUNS = 120;

    /** The process is ended. */
    private static final class Killed extends RuntimeException {

        private static final long serialVersionUID = 1;
    }

    /** Each process is ended behind its first run, and leaves a checkpoint of that. */
    private static Explored inManyProcesses(OpenChoices freedom, SmallProgram program) {
        byte[] last = null;
        for (int processes = 1; ; processes++) {
            Exploration exploration = new Exploration(freedom).sampling(3);
            if (last != null) {
                exploration.goingOn(read(last));
            }
            byte[][] saved = {last};
            int[] asked = {0};
            try {
                return exploration
                        .saving(() -> ++asked[0] == 1, checkpoint -> {
                            saved[0] = write(checkpoint);
                            throw new Killed();
                        })
                        .run(AllOrdersTest.shared(program), null);
            } catch (Killed e) {
                assertThat(saved[0]).as("process %d", processes).isNotEqualTo(last);
                last = saved[0];
            }
        }
    }

    private static byte[] write(Checkpoint checkpoint) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            checkpoint.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static Checkpoint read(byte[] bytes) {
        try {
            return Checkpoint.read(new ByteArrayInputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void explorationInManyProcessesFindsWhatOneFinds() {
        int compared = 0;
        int atOnce = 0;
        Set<String> several = new HashSet<>();
        for (long seed = 1; compared < PROGRAMS; seed++) {
            SmallPlan plan = SmallPlan.of(seed);
            SmallProgram program = new SmallProgram(plan);
            boolean isFree = seed % 2 == 0;
            OpenChoices freedom = isFree ? SourceSetsTest.withAllTurns(plan.openChoices()) : plan.openChoices();
            Explored whole = new Exploration(freedom)
                    .sampling(3)
                    .atMostExecutions(MOST_RUNS)
                    .run(AllOrdersTest.shared(program), null);
            if (!whole.isComplete()) {
                continue;
            }
            compared++;
            Explored parts = inManyProcesses(freedom, program);
            several.addAll(whole.outcomes().keySet());
            assertThat(parts.isComplete()).isTrue();
            assertThat(parts.outcomes().keySet())
                    .as("%s", plan)
                    .isEqualTo(whole.outcomes().keySet());
            if (!freedom.fixesSomeOrder()) {
                atOnce++;
                assertThat(parts.toString()).as("%s", plan).isEqualTo(whole.toString());
                assertThat(parts.tally()).hasToString(whole.tally().toString());
            }
        }
        assertThat(several).hasSizeGreaterThan(PROGRAMS);
        assertThat(atOnce).isPositive();
    }

    @Test
    void explorationThatIsOverIsNotMadeAgain() {
        SmallPlan plan = SmallPlan.of(2);
        byte[][] last = {{}};
        Explored whole = new Exploration(plan.openChoices())
                .saving(() -> false, checkpoint -> last[0] = write(checkpoint))
                .run(new SmallProgram(plan));

        Explored again = new Exploration(plan.openChoices())
                .goingOn(read(last[0]))
                .run(schedule -> {
                    throw new AssertionError("nothing is left");
                });

        assertThat(again).hasToString(whole.toString());
    }

    @Test
    void whatIsNoCheckpointOfTheExplorationIsRefused() {
        SmallPlan plan = SmallPlan.of(2);
        byte[][] last = {{}};
        new Exploration(plan.openChoices())
                .saving(() -> true, checkpoint -> last[0] = write(checkpoint))
                .run(new SmallProgram(plan));
        byte[] whole = last[0];

        for (int length = 0; length < whole.length; length += 7) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> Checkpoint.read(new ByteArrayInputStream(cut)))
                    .isInstanceOf(EOFException.class);
        }
        whole[0]++;
        assertThatThrownBy(() -> Checkpoint.read(new ByteArrayInputStream(whole)))
                .isInstanceOf(StreamCorruptedException.class);
        whole[0]--;
        assertThatThrownBy(() -> new Exploration(plan.openChoices())
                        .unreduced()
                        .goingOn(read(whole))
                        .run(new SmallProgram(plan)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("in every order")
                .hasMessageContaining("explore from the beginning");
    }
}

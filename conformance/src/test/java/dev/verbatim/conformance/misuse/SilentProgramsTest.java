// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What looks like a mistake and is none needs a word to the sanitizer at most: cases that scenario files cannot write. */
class SilentProgramsTest {

    private static final int SEEDS = 10;

    private static List<Finding> resultsInOneWord(boolean declared) {
        List<Finding> all = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            Sanitizer sanitizer = Sanitizer.withSites();
            try (Simulation simulation =
                    new Simulation(Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL), SimulationOptions.USUAL)) {
                simulation.inspect(sanitizer.inspector());
                RcPair pair = RcPair.connect(simulation.open("a"), simulation.open("b"));
                RcPeer a = pair.left();
                if (declared) {
                    sanitizer.scratch(a.memory(), 0, 8);
                }
                simulation.node("a", node -> {
                    a.qp().postSend(add(1, a, pair.right()));
                    a.qp().postSend(add(2, a, pair.right()));
                    assertThat(a.sent().awaitCompletion(Await.LIMIT).isSuccess())
                            .isTrue();
                    assertThat(a.sent().awaitCompletion(Await.LIMIT).isSuccess())
                            .isTrue();
                });
                simulation.run();
                all.addAll(sanitizer.findings());
            }
        }
        return all;
    }

    private static SendWorkRequest add(long id, RcPeer from, RcPeer to) {
        return SendWorkRequest.fetchAndAdd(id, to.address(0), to.rkey(), 1, from.sge(0, 8));
    }

    @Test
    void resultsThatNobodyWantsMayShareADeclaredScratchBuffer() {
        assertThat(resultsInOneWord(true)).isEmpty();
        assertThat(resultsInOneWord(false)).extracting(Finding::mistake).contains(Mistake.S3);
    }

    @Test
    void memoryHandedOverByALatchIsFine() {
        try (Verbatim verbatim = Verbatim.inProcess().sanitize();
                RcPair pair = RcPair.connect(verbatim.open("a"), verbatim.open("b"))) {
            RcPeer a = pair.left();
            Sanitizer sanitizer = Objects.requireNonNull(verbatim.sanitizer());
            CountDownLatch filled = new CountDownLatch(1);
            CompletableFuture<Void> filler = CompletableFuture.runAsync(() -> {
                a.memory().buffer().putLong(0, 7);
                sanitizer.released(filled);
                filled.countDown();
            });
            filler.join();
            sanitizer.acquired(filled);
            a.qp().postSend(a.write(1, 0, 8, pair.right()));
            assertThat(a.sent().awaitCompletion(Await.LIMIT).isSuccess()).isTrue();
            a.qp().postSend(a.read(2, 0, 8, pair.right()));
            assertThat(a.sent().awaitCompletion(Await.LIMIT).isSuccess()).isTrue();

            assertThat(sanitizer.findings()).isEmpty();
        }
    }
}

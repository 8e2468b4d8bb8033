// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.fabric.Choices;
import dev.verbatim.trace.MemoryTap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Seeds as several strategies. */
class SeedMixTest {

    private static final OpenChoices FAULTY = OpenChoices.LEGAL.withFaults(2);

    /** A run of two programs that write to each other. */
    private static List<String> run(Choices choices, LinkFaults faults) {
        MemoryTap tap = new MemoryTap(10_000);
        try (Simulation simulation =
                new Simulation(Schedule.by(choices, FAULTY), SimulationOptions.USUAL.withFaults(faults))) {
            RcPair rc = RcPair.connect(simulation.open("left"), simulation.open("right"));
            simulation.tap(tap);
            simulation.node("one", node -> rc.left().qp().postSend(rc.left().write(1, 0, 64, rc.right())));
            simulation.node("other", node -> {
                rc.right().qp().postSend(rc.right().read(1, 64, 64, rc.left()));
                rc.right().sent().awaitCompletion(java.time.Duration.ofSeconds(100));
            });
            simulation.run();
        }
        return tap.events().stream().map(TraceEvent::toString).toList();
    }

    @Test
    void hundredSeedsHaveAllStrategies() {
        Set<SeedMix> strategies = EnumSet.noneOf(SeedMix.class);
        for (long seed = 0; seed < 10; seed++) {
            strategies.add(SeedMix.strategyOf(seed));
            assertThat(SeedMix.strategyOf(seed + 90)).isEqualTo(SeedMix.strategyOf(seed));
            assertThat(SeedMix.strategyOf(seed - 20)).isEqualTo(SeedMix.strategyOf(seed));
        }
        assertThat(strategies).containsExactly(SeedMix.values());
    }

    @Test
    void seedIsTheSameRunAgainAndItsChoicesRepeatIt() {
        LinkFaults faults = LinkFaults.NONE.dropping(50);
        Set<List<String>> different = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        for (long seed = 0; seed < 40; seed++) {
            ChoiceRecord record = Choices.recorded(SeedMix.choices(seed));
            List<String> first = run(record, faults);
            assertThat(run(SeedMix.choices(seed), faults)).as("seed %d", seed).isEqualTo(first);
            ChoiceList list = ChoiceList.parse(record.list().toString());
            assertThat(run(Choices.replayed(list), faults))
                    .as("choices of %d", seed)
                    .isEqualTo(first);
            different.add(first);
        }
        assertThat(different).hasSizeGreaterThan(35);
    }

    /** Other than by its completion a program does not wait here: it asks for the state, and has always a next step. */
    @Test
    void nobodyWaitsForEverForAProgramThatAlwaysHasANextStep() {
        for (long seed = 0; seed < 100; seed++) {
            try (Simulation simulation = new Simulation(
                    Schedule.by(SeedMix.choices(seed), OpenChoices.LEGAL),
                    SimulationOptions.USUAL.withMostEvents(30_000))) {
                RcPair rc = RcPair.connect(simulation.open("left"), simulation.open("right"));
                simulation.node("asks", node -> {
                    while (rc.left().qp().query().state() != QpState.ERR) {
                        node.others();
                    }
                });
                simulation.node("ends", node -> {
                    node.others();
                    rc.left().qp().modify(new QpAttributes().state(QpState.ERR));
                });
                assertThat(simulation.run()).as("seed %d", seed).isTrue();
            }
        }
    }

    /** The writer has its completion, and tells; its bytes are accepted, and nothing has made them visible (ORD-33). */
    @Test
    void bytesAreHeldBackBehindTheCompletionOfTheirRequestInSomeOfTheFirstHundredSeeds() {
        int old = 0;
        for (long seed = 0; seed < 100; seed++) {
            old += seesOldBytes(SeedMix.choices(seed)) ? 1 : 0;
        }
        assertThat(old).isGreaterThanOrEqualTo(5);
        for (long seed = 0; seed < 20; seed++) {
            assertThat(seesOldBytes(SeedMix.holdingBytesBack(seed)))
                    .as("seed %d", seed)
                    .isTrue();
        }
    }

    private static boolean seesOldBytes(Choices choices) {
        try (Simulation simulation =
                new Simulation(Schedule.by(choices, OpenChoices.ORDERS), SimulationOptions.USUAL)) {
            RcPair rc = RcPair.connect(simulation.open("left"), simulation.open("right"));
            rc.left().memory().buffer().putLong(0, 1);
            boolean[] told = new boolean[1];
            long[] seen = new long[1];
            simulation.node("left", node -> {
                rc.left().qp().postSend(rc.left().write(1, 0, Long.BYTES, rc.right()));
                rc.left().sent().awaitCompletion(java.time.Duration.ofSeconds(100));
                told[0] = true;
            });
            simulation.node("right", node -> {
                node.await(() -> told[0]);
                seen[0] = node.load(rc.right().memory(), 0);
            });
            simulation.run();
            return seen[0] == 0;
        }
    }

    @Test
    void faultsOfTimedSeedsComeEarlyOrLate() {
        int early = 0;
        int late = 0;
        for (long seed = 9; seed < 400; seed += 10) {
            Choices choices = SeedMix.choices(seed);
            boolean[] happened = new boolean[2_000];
            for (int i = 0; i < happened.length; i++) {
                happened[i] = choices.chance(ChoicePoint.LINK_DROP, 100);
            }
            boolean isEarly = count(happened, 0, 4) > 0 || count(happened, 300, 2_000) == 0;
            assertThat(count(happened, isEarly ? 300 : 0, isEarly ? 2_000 : 4))
                    .as("seed %d", seed)
                    .isZero();
            early += isEarly ? 1 : 0;
            late += isEarly ? 0 : 1;
        }
        assertThat(early).isGreaterThan(10);
        assertThat(late).isGreaterThan(10);
    }

    private static long count(boolean[] happened, int from, int to) {
        boolean[] part = Arrays.copyOfRange(happened, from, to);
        long count = 0;
        for (boolean each : part) {
            count += each ? 1 : 0;
        }
        return count;
    }
}

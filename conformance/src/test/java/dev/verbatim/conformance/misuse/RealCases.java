// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.fabric.Choices;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs a program of two sides in a simulation, with default choices and with seeds, and gathers what is said of it. */
final class RealCases {

    /** For all waits; time is virtual. */
    static final Duration LONG = Duration.ofSeconds(10);

    /** How many seeds each program is run with. */
    static final int SEEDS = Tries.of("misuse.real", 6, 40, 40);

    private static final int ENTRIES = 16;

    private RealCases() {}

    /** The program has that mistake, and the sanitizer says so. */
    static void mistake(Mistake expected, Program left, Program right) {
        assertThat(run(left, right).findings()).extracting(Finding::mistake).contains(expected);
    }

    /** The program ends without a refusal, and the sanitizer says nothing. */
    static void clean(Program left, Program right) {
        Found found = run(left, right);
        assertThat(found.refusals()).isEmpty();
        assertThat(found.findings()).isEmpty();
    }

    /** The device refuses something, or a wait that can never end, and says what the mistake is. */
    static void refused(Errno expected, String named, Program left, Program right) {
        assertThat(run(left, right).refusals())
                .filteredOn(refused -> refused.errno() == expected)
                .extracting(refused -> String.valueOf(refused.refusal()))
                .anyMatch(text -> text.contains(named));
    }

    private static Found run(Program left, Program right) {
        return found(DeviceProfile.STRICT_IBTA, SEEDS, left, right);
    }

    static void sent(RcPeer side) {
        assertThat(side.sent().awaitCompletion(LONG).isSuccess()).isTrue();
    }

    static void received(RcPeer side) {
        assertThat(side.received().awaitCompletion(LONG).isSuccess()).isTrue();
    }

    /** A side that does nothing. */
    static void nothing(Node node, Sides sides) {}

    /**
     * The two sides of a run.
     *
     * @param toB a second queue pair of {@code a}
     * @param ofB its peer, whose receives complete in {@code heard}
     * @param heard a completion queue of {@code b} with a channel
     * @param told what the programs tell each other outside of the network
     */
    record Sides(RcPeer a, RcPeer b, QueuePair toB, QueuePair ofB, CompletionQueue heard, List<String> told) {

        void tell(String what) {
            told.add(what);
        }

        void await(Node node, String what) {
            node.await(() -> told.contains(what));
        }
    }

    /** The program of one side. */
    interface Program {
        void run(Node node, Sides sides);
    }

    /**
     * What came of all runs.
     *
     * @param findings of the sanitizer, notes included
     * @param refusals what verbs refused, and waits that can never end
     */
    record Found(List<Finding> findings, List<VerbsException> refusals) {}

    /** Runs with default choices, and then with the seeds from 0. */
    static Found found(DeviceProfile profile, int seeds, Program left, Program right) {
        List<Finding> findings = new ArrayList<>();
        List<VerbsException> refusals = new ArrayList<>();
        for (long seed = -1; seed < seeds; seed++) {
            Schedule schedule = seed < 0
                    ? Schedule.by(Choices.canonical(), OpenChoices.NONE)
                    : Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL);
            Sanitizer sanitizer = Sanitizer.withSites();
            try (Simulation simulation = new Simulation(schedule, SimulationOptions.USUAL)) {
                simulation.inspect(sanitizer.inspector());
                RcPair pair = RcPair.connect(simulation.open("a", profile), simulation.open("b", profile));
                Sides sides = sides(pair.left(), pair.right());
                simulation.node("a", node -> caught(left, node, sides, refusals));
                simulation.node("b", node -> caught(right, node, sides, refusals));
                simulation.run();
                findings.addAll(sanitizer.findings());
            }
        }
        return new Found(findings, refusals);
    }

    private static Sides sides(RcPeer a, RcPeer b) {
        CompletionQueue heard = b.device().createCq(ENTRIES, null, b.device().createCompletionChannel(), 0);
        QpCapabilities sizes = new QpCapabilities(ENTRIES, ENTRIES, 1, 1, 0);
        QueuePair toB = a.pd().createQp(QpInitAttributes.rc(a.sent(), a.received(), sizes));
        QueuePair ofB = b.pd().createQp(QpInitAttributes.rc(b.sent(), heard, sizes));
        RcConnection.connect(toB, ofB);
        return new Sides(a, b, toB, ofB, heard, new ArrayList<>());
    }

    private static void caught(Program program, Node node, Sides sides, List<VerbsException> refusals) {
        try {
            program.run(node, sides);
        } catch (VerbsException e) {
            refusals.add(e);
        }
    }
}

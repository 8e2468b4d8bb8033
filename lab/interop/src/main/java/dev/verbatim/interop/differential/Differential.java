// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import dev.verbatim.Verbatim;
import dev.verbatim.conformance.oracle.Oracle;
import dev.verbatim.conformance.oracle.report.Verdict;
import dev.verbatim.conformance.oracle.report.Violation;
import dev.verbatim.interop.InteropException;
import dev.verbatim.interop.walk.LocalNode;
import dev.verbatim.interop.walk.WalkNode;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plays random programs between a device of Verbatim and another device. What they leave behind is held against what the same
 * program leaves between two devices of Verbatim, and {@link Oracle#ofOneSide} judges both sides meanwhile.
 *
 * <p>What differs is a defect of one of them, or a {@link KnownDeviation}. UC and UD may lose messages; a flow that lost one is
 * counted and not compared.
 */
public final class Differential {

    /** The name that the own device must have. */
    public static final String OWN = "near";

    private static final String PEER = "far";

    /** Receives the outcome of each program. */
    public interface Report {

        /**
         * A program has ended.
         *
         * @param name seed and number of the program
         * @param differences in what its outcome is none that was expected; empty if it is
         */
        void ended(String name, List<String> differences);
    }

    private final Supplier<Device> devices;
    private final Supplier<WalkNode> peers;
    private final DeviceProfile peerProfile;
    private final Set<KnownDeviation> known;
    private final Duration patience;
    private final AtomicReference<@Nullable Oracle> oracle = new AtomicReference<>();
    private final DifferentialFigures figures = new DifferentialFigures();

    /**
     * Programs with a soft-RoCE device of Linux.
     *
     * @param devices opens a device named {@link #OWN}, which {@link #tap} watches; it is closed after the program
     * @param agent a node that begins anew for each program
     * @param patience longest wait for a completion
     */
    public static Differential withRxe(Supplier<Device> devices, Supplier<WalkNode> agent, Duration patience) {
        return new Differential(devices, agent, DeviceProfile.RXE_LIKE, Set.of(KnownDeviation.values()), patience);
    }

    Differential(
            Supplier<Device> devices,
            Supplier<WalkNode> peers,
            DeviceProfile peerProfile,
            Set<KnownDeviation> known,
            Duration patience) {
        this.devices = devices;
        this.peers = peers;
        this.peerProfile = peerProfile;
        this.known = Set.copyOf(known);
        this.patience = patience;
    }

    /** Watches the own devices. */
    public Tap tap() {
        return this::watch;
    }

    private void watch(TraceEvent event) {
        Oracle current = oracle.get();
        if (current != null && event.device().equals(OWN)) {
            current.on(event);
        }
    }

    /** What was played up to now. */
    public DifferentialFigures figures() {
        return figures;
    }

    /** Plays the program of that number of that seed. */
    public void run(long seed, int number, Report report) {
        Program program = ProgramDraw.program(seed, number);
        figures.played(program);
        List<String> differences = differences(program, true);
        if (!differences.isEmpty()) {
            // A machine that stops for seconds makes retries run out. What differs does so again.
            differences = differences(program, false);
            figures.repeated();
        }
        if (!differences.isEmpty()) {
            figures.differed();
        }
        report.ended(program.name(), differences);
    }

    private List<String> differences(Program program, boolean isFirst) {
        List<String> differences = new ArrayList<>();
        try {
            List<FlowOutcome> expected = expected(program);
            List<FlowOutcome> found = played(program, expected, differences);
            compare(program, expected, found, differences);
            if (isFirst) {
                count(program, expected, found);
            }
        } catch (InteropException | VerbsException e) {
            differences.add(String.valueOf(e.getMessage()));
        }
        return differences;
    }

    private void count(Program program, List<FlowOutcome> expected, List<FlowOutcome> found) {
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).isLost()) {
                figures.lost();
            } else if (isKnown(program.flows().get(i))
                    && !found.get(i).differencesFrom(expected.get(i)).isEmpty()) {
                figures.deviated();
            }
        }
    }

    private boolean isKnown(Flow flow) {
        return known.stream().anyMatch(one -> one.concerns(flow));
    }

    private List<FlowOutcome> expected(Program program) {
        try (Verbatim rdma = Verbatim.inProcess();
                WalkNode own =
                        new LocalNode(rdma.profile(DeviceProfile.STRICT_IBTA).open(OWN));
                WalkNode peer = new LocalNode(rdma.profile(peerProfile).open(PEER))) {
            return ProgramPlay.play(
                    program,
                    own,
                    peer,
                    patience,
                    Collections.nCopies(program.flows().size(), 0));
        }
    }

    /** A flow that shows a known deviation may have fewer, for which nobody waits. */
    private List<Integer> receives(Program program, List<FlowOutcome> expected) {
        List<Integer> receives = new ArrayList<>();
        for (Flow flow : program.flows()) {
            receives.add(
                    isKnown(flow) ? 0 : expected.get(receives.size()).receives().size());
        }
        return receives;
    }

    private List<FlowOutcome> played(Program program, List<FlowOutcome> expected, List<String> differences) {
        Oracle judge = Oracle.ofOneSide(OWN);
        oracle.set(judge);
        Tap stores = event -> {
            if (event instanceof TraceEvent.ProgramTouched) {
                judge.on(event);
            }
        };
        try (WalkNode own = new ReportingNode(new LocalNode(devices.get()), OWN, stores, (address, data) -> {});
                WalkNode peer = new ReportingNode(peers.get(), PEER, judge, judge::peerMemoryAtEnd)) {
            List<FlowOutcome> outcomes = ProgramPlay.play(program, own, peer, patience, receives(program, expected));
            Verdict verdict = judge.verdictAtEnd();
            figures.judged(verdict.checks().values().stream()
                    .mapToLong(Long::longValue)
                    .sum());
            verdict.violations().stream()
                    .filter(violation -> !isKnown(program, violation))
                    .forEach(violation -> differences.add("oracle: " + violation));
            return outcomes;
        } finally {
            oracle.set(null);
        }
    }

    private boolean isKnown(Program program, Violation violation) {
        return known.stream()
                .anyMatch(one ->
                        one.explains(violation) && program.flows().stream().anyMatch(one::concerns));
    }

    private void compare(
            Program program, List<FlowOutcome> expected, List<FlowOutcome> found, List<String> differences) {
        for (int i = 0; i < found.size(); i++) {
            Flow flow = program.flows().get(i);
            List<String> differing = found.get(i).differencesFrom(expected.get(i));
            if (!differing.isEmpty() && !isKnown(flow)) {
                differences.addAll(differing);
                differences.add("flow " + i + ": " + flow);
            }
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.spec.Connection;
import dev.verbatim.conformance.scenario.spec.End;
import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import dev.verbatim.conformance.scenario.step.Board;
import dev.verbatim.conformance.scenario.step.Failure;
import dev.verbatim.conformance.scenario.step.Names;
import dev.verbatim.conformance.scenario.step.Setup;
import dev.verbatim.conformance.scenario.step.Wiring;
import dev.verbatim.conformance.scenario.step.Workbench;
import dev.verbatim.verbs.Device;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The nodes of a scenario on a stage, ready to begin. */
final class Cast {

    private final Scenario scenario;
    private final Board board;
    private final List<Workbench> benches = new ArrayList<>();
    private final List<NodeProgram> programs = new ArrayList<>();

    /**
     * Opens all devices, and makes and connects what the scenario says.
     *
     * @param profile name of the profile to use instead of those of the scenario; null for those
     */
    Cast(Scenario scenario, Stage stage, @Nullable String profile) {
        this.scenario = scenario;
        this.board = new Board(stage.world());
        Map<String, Names> names = scenario.names();
        Map<String, Device> devices = new LinkedHashMap<>();
        scenario.nodes()
                .forEach((node, spec) -> devices.put(
                        node, stage.open(node, profileOf(spec, profile).profile())));
        scenario.nodes().forEach((node, spec) -> {
            Workbench bench = Setup.make(
                    Objects.requireNonNull(names.get(node)),
                    spec.program(),
                    Objects.requireNonNull(devices.get(node)),
                    stage.addresses(),
                    board);
            benches.add(bench);
            programs.add(new NodeProgram(bench, spec.program(), spec.leftovers()));
        });
        benches.forEach(Setup::handles);
        scenario.connections().forEach(connection -> connect(connection, stage));
        stage.fail(scenario.faults(), devices);
    }

    private static ProfileSpec profileOf(NodeSpec node, @Nullable String profile) {
        ProfileSpec own = node.profile();
        return profile == null
                ? own
                : new ProfileSpec(
                        profile,
                        own.switches(),
                        own.keySeed(),
                        own.qpNumbers(),
                        own.windows(),
                        own.posting(),
                        own.completions(),
                        own.limits());
    }

    private void connect(Connection connection, Stage stage) {
        End left = connection.ends().get(0);
        End right = connection.ends().get(1);
        stage.join(left.node(), right.node());
        if (connection.connected()) {
            Wiring.readyToReceive(board.bench(left.node()), left.qp());
            if (!left.equals(right)) {
                Wiring.readyToReceive(board.bench(right.node()), right.qp());
                Wiring.readyToSend(board.bench(right.node()), right.qp());
            }
            Wiring.readyToSend(board.bench(left.node()), left.qp());
        }
    }

    /** What begins at an address, by name. */
    Map<Long, String> namesByAddress() {
        Map<Long, String> byAddress = new TreeMap<>();
        benches.forEach(bench -> bench.nameAddresses(byAddress));
        return byAddress;
    }

    List<NodeProgram> programs() {
        return programs;
    }

    List<Workbench> benches() {
        return benches;
    }

    /** Lets the programs run to their end. */
    void play(Stage stage) {
        String stop = stage.play(programs);
        if (stop != null) {
            board.add(new Failure("", "", "the run", stop));
        }
        programs.forEach(NodeProgram::giveUp);
    }

    /** What registers and words hold now: those that the scenario's expectations name, or all. */
    Outcome outcome() {
        Map<String, String> values = new TreeMap<>();
        for (Workbench bench : benches) {
            values.putAll(bench.registers());
            bench.names().words().forEach(word -> values.put(word, bench.valueOf(word)));
        }
        Set<String> observed = scenario.observed();
        Outcome all = new Outcome(values);
        return observed.isEmpty() ? all : all.only(observed);
    }

    /** What programs noticed, and that they did not end. */
    List<Failure> failures() {
        return board.failures();
    }
}

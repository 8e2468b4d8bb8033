// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.conformance.scenario.node.NodeSetup;
import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.conformance.scenario.node.QpBringUp;
import dev.verbatim.conformance.scenario.node.RunShared;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.node.StoreBuffer;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.CpuModel;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.verbs.Device;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Observer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The nodes of a scenario on a runner, ready to begin. */
final class PreparedNodes {

    private final ScenarioPlan plan;
    private final RunShared run;
    private final Map<String, StepContext> contexts = new LinkedHashMap<>();
    private final List<NodeProgram> programs = new ArrayList<>();

    /** Opens all devices, and makes and connects what the scenario says. */
    PreparedNodes(ScenarioPlan plan, FabricRunner runner) {
        this.plan = plan;
        this.run = new RunShared(runner.environment());
        Map<String, Device> devices = new LinkedHashMap<>();
        for (ScenarioPlan.Node node : plan.nodes()) {
            runner.memory(node.name(), node.spec().memory());
            devices.put(node.name(), runner.open(node.name(), node.profile()));
        }
        Map<String, NodeState> nodes = new LinkedHashMap<>();
        for (ScenarioPlan.Node planned : plan.nodes()) {
            NodeState node = NodeSetup.make(
                    planned.names(),
                    planned.literals(),
                    Objects.requireNonNull(devices.get(planned.name())),
                    runner.addresses(),
                    run,
                    nodes.get(planned.spec().memory().adapterOf()));
            nodes.put(planned.name(), node);
            addPrograms(planned, node, nodes);
        }
        contexts.values().forEach(NodeSetup::handles);
        Scenario scenario = plan.scenario();
        scenario.connections().forEach(connection -> connect(connection, runner));
        runner.fail(scenario.faults(), devices);
    }

    private void addPrograms(ScenarioPlan.Node planned, NodeState node, Map<String, NodeState> nodes) {
        NodeSpec spec = planned.spec();
        MemorySystem system = node.memory().system();
        Observer cpu = system == null ? null : system.cpu();
        StepContext context = new StepContext(node, nodes, run, cpu, storeBuffer(spec, node, planned.name()));
        contexts.put(planned.name(), context);
        programs.add(new NodeProgram(context, spec.program(), spec.leftovers()));
        spec.threads().forEach((thread, steps) -> {
            StoreBuffer buffer = storeBuffer(spec, node, planned.name() + "/" + thread);
            programs.add(NodeProgram.ofThread(new StepContext(node, nodes, run, cpu, buffer), steps, thread));
        });
        spec.kernels().forEach((domain, steps) -> {
            Observer gpu = system == null ? null : system.gpu(system.named(domain));
            programs.add(NodeProgram.ofKernel(
                    new StepContext(node, nodes, run, gpu, null),
                    steps,
                    domain,
                    planned.launched().contains(domain)));
        });
    }

    /** The store buffer of a thread; null where memory has what it stores at once. */
    private @Nullable StoreBuffer storeBuffer(NodeSpec spec, NodeState node, String thread) {
        return spec.cpu() == CpuModel.TSO && run.environment().drainsStores()
                ? new StoreBuffer("store buffer of " + thread, node.memory(), run.environment())
                : null;
    }

    private void connect(ConnectionSpec connection, FabricRunner runner) {
        QpRef left = connection.ends().get(0);
        QpRef right = connection.ends().get(1);
        runner.join(left.node(), right.node());
        if (connection.connected()) {
            QpBringUp.readyToReceive(context(left), left.qp());
            if (!left.equals(right)) {
                QpBringUp.readyToReceive(context(right), right.qp());
                QpBringUp.readyToSend(context(right), right.qp());
            }
            QpBringUp.readyToSend(context(left), left.qp());
        }
    }

    private StepContext context(QpRef end) {
        return Objects.requireNonNull(contexts.get(end.node()), end.node());
    }

    /** What begins at an address, by name. */
    private Map<Long, String> namesByAddress() {
        Map<Long, String> byAddress = new TreeMap<>();
        nodes().forEach(node -> node.memory().nameAddresses(byAddress));
        return byAddress;
    }

    List<NodeProgram> programs() {
        return programs;
    }

    List<NodeState> nodes() {
        return contexts.values().stream().map(StepContext::node).toList();
    }

    /** Lets the programs run to their end; tells {@code observer} when they begin and end. */
    @SuppressWarnings("ReferenceEquality") // nobody is told anything by this one
    void play(FabricRunner runner, ScenarioRun.RunObserver observer) {
        if (observer != ScenarioRun.RunObserver.NONE) {
            observer.begins(namesByAddress());
        }
        String stop = runner.play(programs);
        if (stop != null) {
            run.add(new Failure("", "", "the run", stop));
        }
        programs.forEach(NodeProgram::giveUp);
        observer.ends();
    }

    /** What registers and words hold now: those that the scenario's expectations name, or all. */
    Outcome outcome() {
        Map<String, String> values = new TreeMap<>();
        for (NodeState node : nodes()) {
            values.putAll(node.registers());
            node.names().words().forEach(word -> values.put(word, node.valueOf(word)));
        }
        Set<String> observed = plan.observed();
        if (!observed.isEmpty()) {
            values.keySet().retainAll(observed);
        }
        return new Outcome(values);
    }

    /** Whether how the run ended counts for nothing. */
    boolean isDiscarded() {
        return run.isDiscarded();
    }

    /** What programs noticed, and that they did not end. */
    List<Failure> failures() {
        return run.failures();
    }
}

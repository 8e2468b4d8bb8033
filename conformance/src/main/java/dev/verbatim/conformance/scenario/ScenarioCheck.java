// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.conformance.scenario.form.Problems;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.CpuModel;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.memory.Load;
import dev.verbatim.conformance.scenario.step.memory.Store;
import dev.verbatim.conformance.scenario.step.memory.Until;
import dev.verbatim.conformance.scenario.step.visibility.Launch;
import dev.verbatim.conformance.scenario.step.visibility.Persist;
import dev.verbatim.conformance.scenario.step.visibility.PowerFail;
import dev.verbatim.conformance.scenario.step.visibility.Synchronize;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.Rule;
import dev.verbatim.visibility.MemoryDomain;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds names in a scenario that mean nothing, and things that do not fit together. */
final class ScenarioCheck {

    private final Scenario scenario;
    private final Problems problems;
    private final Map<String, Names> names;
    private final NameScope.Signals signals = new NameScope.Signals();

    private ScenarioCheck(Scenario scenario, Problems problems) {
        this.scenario = scenario;
        this.problems = problems;
        this.names = scenario.names();
    }

    static void check(Scenario scenario, Problems problems) {
        ScenarioCheck check = new ScenarioCheck(scenario, problems);
        check.connections();
        check.words();
        check.programs();
        check.faults();
        check.outcomes();
        check.rules();
    }

    private void connections() {
        Set<QpRef> seen = new HashSet<>();
        for (int i = 0; i < scenario.connections().size(); i++) {
            ConnectionSpec connection = scenario.connections().get(i);
            String path = "connections[" + i + "].between";
            for (QpRef end : new LinkedHashSet<>(connection.ends())) {
                if (node(path, end.node()) && !seen.add(end) && !isUd(end)) {
                    problems.add(
                            path,
                            end + " is connected already; name another queue pair, such as " + end.node() + ".second");
                }
            }
        }
    }

    /** Datagrams go to any number of peers. */
    private boolean isUd(QpRef end) {
        Names node = names.get(end.node());
        QpSpec qp = node == null ? null : node.qps().get(end.qp());
        return qp != null && qp.type() == QpType.UD;
    }

    private boolean node(String path, @Nullable String node) {
        if (node != null && !names.containsKey(node)) {
            problems.add(path, "there is no node " + node + "; " + NearestWord.advice(node, names.keySet()));
            return false;
        }
        return true;
    }

    /** Outcomes name words without their node. */
    private void words() {
        Map<String, String> ownerOf = new HashMap<>();
        names.forEach((node, all) -> all.words().forEach(word -> {
            String other = ownerOf.putIfAbsent(word, node);
            if (other != null) {
                problems.add("nodes." + node, "word " + word + " is also one of node " + other + "; rename one");
            }
            if (all.regions().containsKey(word)) {
                problems.add("nodes." + node, word + " is both a word and a region; rename one");
            }
        }));
        names.forEach(this::queues);
        names.forEach((node, all) -> all.windows().keySet().stream()
                .filter(all.places()::contains)
                .forEach(window -> problems.add(
                        "nodes." + node + ".windows." + window,
                        window + " is both a window and a word or region; rename one")));
    }

    /** What queue pairs, shared receive queues and address handles name must be there. */
    private void queues(String node, Names all) {
        all.qps().forEach((name, qp) -> {
            String srq = qp.srq();
            if (srq != null && !all.srqs().containsKey(srq)) {
                problems.add(
                        "nodes." + node + ".qps." + name + ".srq",
                        "there is no shared receive queue " + srq + "; "
                                + NearestWord.advice(srq, all.srqs().keySet()));
            }
            port("nodes." + node + ".qps." + name, node, qp.portNumber());
        });
        all.ahs().forEach((name, ah) -> {
            String path = "nodes." + node + ".ahs." + name;
            if (node(path, ah.node())) {
                port(path, node, ah.portNumber());
                port(path, ah.node(), ah.portNumber());
            }
        });
    }

    private void port(String path, String node, int number) {
        NodeSpec spec = scenario.nodes().get(node);
        int ports = spec == null ? 1 : spec.profile().profile().limits().physicalPorts();
        if (number > ports) {
            problems.add(
                    path + ".port_num",
                    "node " + node + " has no port " + number + "; add profile: {limits: {phys_port_cnt: " + number
                            + "}} to it");
        }
    }

    private void programs() {
        scenario.nodes().forEach((node, spec) -> {
            Names own = names.get(node);
            if (own != null) {
                NameScope scope = new NameScope(problems, names, own, signals);
                for (int i = 0; i < spec.program().size(); i++) {
                    spec.program().get(i).check(scope.at("nodes." + node + ".program[" + i + "]"));
                }
                memory(node, spec);
                spec.threads().forEach((thread, steps) -> {
                    scope.program();
                    for (int i = 0; i < steps.size(); i++) {
                        steps.get(i).check(scope.at("nodes." + node + ".threads." + thread + "[" + i + "]"));
                    }
                });
                cpu(node, spec, own);
                spec.kernels().forEach((domain, steps) -> {
                    scope.program();
                    for (int i = 0; i < steps.size(); i++) {
                        String path = "nodes." + node + ".kernels." + domain + "[" + i + "]";
                        steps.get(i).check(scope.at(path));
                        ofKernel(path, steps.get(i));
                    }
                });
            }
        });
        signals.check(problems);
    }

    /** Regions and kernels name memory domains that are there, and shared memory is that of an earlier node. */
    private void memory(String node, NodeSpec spec) {
        Map<String, MemoryDomain.Kind> domains = spec.memory().domains();
        adapter(node, spec.memory().adapterOf());
        spec.regions().forEach((name, region) -> {
            String domain = region.domain();
            if (domain != null && !domains.containsKey(domain)) {
                problems.add(
                        "nodes." + node + ".regions." + name + ".in",
                        "node " + node + " has no memory domain " + domain + "; "
                                + NearestWord.advice(domain, domains.keySet()));
            }
            shared(node, spec, name, region.shares());
        });
        spec.kernels().keySet().stream()
                .filter(domain -> domains.get(domain) != MemoryDomain.Kind.DEVICE)
                .forEach(domain -> problems.add(
                        "nodes." + node + ".kernels." + domain,
                        "node " + node + " has no GPU " + domain + "; add domains: {" + domain + ": device}"));
    }

    /** Store buffers are of coherent host memory, and hold words; threads and kernels have names of their own. */
    private void cpu(String node, NodeSpec spec, Names own) {
        String path = "nodes." + node;
        spec.threads().keySet().stream()
                .filter(spec.kernels()::containsKey)
                .forEach(thread -> problems.add(path + ".threads." + thread, thread + " is also a kernel; rename one"));
        if (spec.cpu() == CpuModel.SC) {
            return;
        }
        if (spec.memory().isMarked() || spec.memory().adapterOf() != null) {
            problems.add(
                    path + ".cpu",
                    "TSO is of nodes with coherent host memory; leave out platform, domains and adapter_of");
        }
        spec.steps().stream()
                .flatMap(step -> place(step).stream())
                .filter(place ->
                        own.lengthOf(place) != RegionSpec.WORD_BYTES || place.offset() % RegionSpec.WORD_BYTES != 0)
                .forEach(place -> problems.add(
                        path + ".cpu",
                        place + " is no aligned word of 8 bytes, which store buffers of TSO hold; name a word"));
    }

    /** What the CPU accesses. */
    private static Optional<Place> place(Step step) {
        if (step instanceof Load load) {
            return Optional.of(load.from());
        } else if (step instanceof Store store) {
            return Optional.of(store.to());
        }
        return step instanceof Until until ? Optional.of(until.at()) : Optional.empty();
    }

    /** What a GPU cannot do. */
    private void ofKernel(String path, Step step) {
        step.inner().forEach(inner -> ofKernel(path, inner));
        if (step instanceof Launch
                || step instanceof Synchronize
                || step instanceof Persist
                || step instanceof PowerFail) {
            problems.add(
                    path,
                    "a kernel has no call for this, which the CPU does; move the step to the program of the node, and say by"
                            + " tell and await when");
        }
    }

    private void shared(String node, NodeSpec spec, String region, @Nullable String shares) {
        String path = "nodes." + node + ".regions." + region + ".shares";
        String ownerName = spec.memory().adapterOf();
        NodeSpec owner = ownerName == null ? null : scenario.nodes().get(ownerName);
        if (shares != null && ownerName == null) {
            problems.add(
                    path,
                    "node " + node + " is no adapter of another; say adapter_of: with the node whose memory it is");
        } else if (shares != null && owner != null && !owner.regions().containsKey(shares)) {
            problems.add(
                    path,
                    "node " + ownerName + " has no region " + shares + "; "
                            + NearestWord.advice(shares, owner.regions().keySet()));
        }
    }

    private void adapter(String node, @Nullable String owner) {
        List<String> before = List.copyOf(scenario.nodes().keySet());
        before = before.subList(0, before.indexOf(node));
        if (owner != null && !before.contains(owner)) {
            problems.add(
                    "nodes." + node + ".adapter_of", "there is no node " + owner + " before this one; put that first");
        }
    }

    private void faults() {
        for (int i = 0; i < scenario.faults().size(); i++) {
            PacketFault fault = scenario.faults().get(i);
            String path = "faults[" + i + "]." + fault.kind().word();
            node(path + ".from", fault.from());
            node(path + ".to", fault.to());
        }
    }

    private void outcomes() {
        Set<String> known = new TreeSet<>(signals.registers().keySet());
        names.values().forEach(all -> known.addAll(all.words()));
        for (int i = 0; i < scenario.allowed().size(); i++) {
            outcome("allowed[" + i + "]", scenario.allowed().get(i), known);
        }
        for (int i = 0; i < scenario.forbidden().size(); i++) {
            outcome("forbidden[" + i + "].outcome", scenario.forbidden().get(i).outcome(), known);
        }
        if (scenario.canonical() != null) {
            outcome("canonical", scenario.canonical(), known);
        }
        if (scenario.stale() != null) {
            outcome("stale", scenario.stale(), known);
        }
    }

    private void outcome(String path, OutcomePattern pattern, Set<String> known) {
        for (String name : pattern.values().keySet()) {
            if (!known.contains(name)) {
                problems.add(
                        path + "." + name,
                        "there is no register or word " + name + "; " + NearestWord.advice(name, known));
            }
        }
    }

    private void rules() {
        List<String> ids = Rule.catalogue().stream().map(Rule::id).toList();
        for (String rule : scenario.rules()) {
            rule("rules", rule, ids);
        }
        for (int i = 0; i < scenario.forbidden().size(); i++) {
            rule("forbidden[" + i + "].rule", scenario.forbidden().get(i).rule(), ids);
        }
    }

    private void rule(String path, String rule, List<String> ids) {
        if (!ids.contains(rule)) {
            problems.add(
                    path,
                    "there is no rule " + rule + "; " + NearestWord.advice(rule, ids)
                            + " All are listed by 'verbatim rules'");
        }
    }
}

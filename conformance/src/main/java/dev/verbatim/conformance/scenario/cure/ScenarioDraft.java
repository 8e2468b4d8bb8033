// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.cure;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.StepWords;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.step.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A scenario that is being changed. Each step has a slot, with what is to stand there instead of it: so changes may be made in any
 * order, and each step is found at the place that it has in the scenario.
 */
final class ScenarioDraft {

    private final Scenario scenario;
    private final Map<ProgramRef, List<List<Step>>> slots = new LinkedHashMap<>();
    private final Map<String, Map<String, RegionSpec>> regions = new TreeMap<>();

    ScenarioDraft(Scenario scenario) {
        this.scenario = scenario;
        ProgramRef.all(scenario).forEach(program -> {
            List<List<Step>> each = new ArrayList<>();
            program.steps(scenario).forEach(step -> each.add(List.of(step)));
            slots.put(program, each);
        });
        scenario.nodes().forEach((name, node) -> regions.put(name, new LinkedHashMap<>(node.regions())));
    }

    private List<List<Step>> slots(ProgramRef program) {
        return slots.getOrDefault(program, List.of());
    }

    /** Has other steps stand where step {@code index} does. */
    void change(ProgramRef program, int index, UnaryOperator<List<Step>> change) {
        slots(program).set(index, List.copyOf(change.apply(slots(program).get(index))));
    }

    /** Changes step {@code index}, which may have been removed. */
    void replace(ProgramRef program, int index, UnaryOperator<Step> change) {
        Step original = program.steps(scenario).get(index);
        change(
                program,
                index,
                steps -> steps.stream()
                        .map(step -> step.getClass().equals(original.getClass()) ? change.apply(step) : step)
                        .toList());
    }

    /** Adds steps behind step {@code index}. */
    void insertAfter(ProgramRef program, int index, List<Step> more) {
        change(program, index, steps -> {
            List<Step> all = new ArrayList<>(steps);
            all.addAll(more);
            return all;
        });
    }

    /** Adds a step before step {@code index}. */
    void insertBefore(ProgramRef program, int index, Step step) {
        change(program, index, steps -> {
            List<Step> all = new ArrayList<>(List.of(step));
            all.addAll(steps);
            return all;
        });
    }

    void remove(ProgramRef program, int index) {
        change(program, index, steps -> List.of());
    }

    /** Gives a node a region, or another in the place of one. */
    void region(String node, String name, RegionSpec region) {
        regions.computeIfAbsent(node, unused -> new LinkedHashMap<>()).put(name, region);
    }

    /** The lines that differ. */
    List<ChangedLine> lines() {
        List<ChangedLine> lines = new ArrayList<>();
        slots.forEach((program, each) -> {
            for (int i = 0; i < each.size(); i++) {
                Step before = program.steps(scenario).get(i);
                if (!each.get(i).equals(List.of(before))) {
                    lines.add(new ChangedLine(
                            program.path() + "[" + i + "]",
                            StepWords.text(before),
                            each.get(i).stream().map(StepWords::text).toList()));
                }
            }
        });
        regions.forEach((node, each) -> each.forEach((name, region) -> {
            NodeSpec spec = scenario.nodes().get(node);
            RegionSpec before = spec == null ? null : spec.regions().get(name);
            if (!region.equals(before)) {
                lines.add(new ChangedLine(
                        "nodes." + node,
                        before == null ? "" : RegionText.of(name, before),
                        List.of(RegionText.of(name, region))));
            }
        }));
        return lines;
    }

    /** The scenario with all changes; names are not checked. */
    Scenario scenario() {
        Map<String, NodeSpec> nodes = new LinkedHashMap<>();
        scenario.nodes().forEach((name, node) -> {
            Map<String, List<Step>> kernels = new LinkedHashMap<>();
            node.kernels().keySet().forEach(kernel -> kernels.put(kernel, flat(ProgramRef.ofKernel(name, kernel))));
            Map<String, List<Step>> threads = new LinkedHashMap<>();
            node.threads().keySet().forEach(thread -> threads.put(thread, flat(ProgramRef.ofThread(name, thread))));
            nodes.put(
                    name,
                    node.with(regions.getOrDefault(name, Map.of()), flat(ProgramRef.ofNode(name)), kernels, threads));
        });
        return scenario.with(nodes);
    }

    private List<Step> flat(ProgramRef program) {
        return slots(program).stream().flatMap(List::stream).toList();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.CpuModel;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.visibility.Platform;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What some nodes have and do, and what may come of it.
 *
 * @param title one line
 * @param about what it shows, for people; empty if there is nothing to say
 * @param rules ids of the rules that it is about
 * @param nodes by name, in the order in which their devices are opened
 * @param connections between their queue pairs; of two nodes, one between them unless something else is said
 * @param faults what happens to packets
 * @param choices what an exploration may choose
 * @param allowed how it may end; empty if nothing is said
 * @param forbidden how it must not end
 * @param canonical how it ends with canonical choices; null if nothing is said
 * @param stale the outcome of which it is asked on which platforms it is possible; null if nothing is
 */
public record Scenario(
        String title,
        String about,
        List<String> rules,
        Map<String, NodeSpec> nodes,
        List<ConnectionSpec> connections,
        List<PacketFault> faults,
        ChoiceSpec choices,
        List<OutcomePattern> allowed,
        List<Forbidden> forbidden,
        @Nullable OutcomePattern canonical,
        @Nullable OutcomePattern stale) {

    /** A scenario that asks nothing of platforms. */
    public Scenario(
            String title,
            String about,
            List<String> rules,
            Map<String, NodeSpec> nodes,
            List<ConnectionSpec> connections,
            List<PacketFault> faults,
            ChoiceSpec choices,
            List<OutcomePattern> allowed,
            List<Forbidden> forbidden,
            @Nullable OutcomePattern canonical) {
        this(title, about, rules, nodes, connections, faults, choices, allowed, forbidden, canonical, null);
    }

    /** Copies the collections. */
    public Scenario {
        rules = List.copyOf(rules);
        nodes = Collections.unmodifiableMap(new LinkedHashMap<>(nodes));
        faults = List.copyOf(faults);
        allowed = List.copyOf(allowed);
        forbidden = List.copyOf(forbidden);
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("there are no nodes; add nodes: with one at least");
        }
        connections = connections.isEmpty() ? usualConnections(nodes) : List.copyOf(connections);
    }

    /** Whether observers of the memory of some node may see different things. */
    public boolean isMarked() {
        return nodes.values().stream().anyMatch(node -> node.memory().isMarked());
    }

    /** The same on another platform, as far as observers may see different things. */
    public Scenario on(Platform platform) {
        Map<String, NodeSpec> others = new LinkedHashMap<>();
        nodes.forEach((name, node) -> others.put(name, node.on(platform)));
        return with(others);
    }

    /** The same where memory has at once what CPUs store. */
    public Scenario onSequentialCpus() {
        Map<String, NodeSpec> others = new LinkedHashMap<>();
        nodes.forEach((name, node) -> others.put(name, node.on(CpuModel.SC)));
        return with(others);
    }

    /** Whether the CPU of some node has store buffers. */
    public boolean hasStoreBuffers() {
        return nodes.values().stream().anyMatch(node -> node.cpu() == CpuModel.TSO);
    }

    /** The same with other nodes of the same names. */
    public Scenario with(Map<String, NodeSpec> others) {
        return new Scenario(
                title, about, rules, others, connections, faults, choices, allowed, forbidden, canonical, stale);
    }

    /** What connects these nodes where nothing is said: two nodes are joined by one pair of queue pairs. */
    static List<ConnectionSpec> usualConnections(Map<String, NodeSpec> nodes) {
        List<QpRef> ends = nodes.keySet().stream().map(QpRef::of).toList();
        return ends.size() == 2 ? List.of(ConnectionSpec.between(ends.get(0), ends.get(1))) : List.of();
    }

    /** What each node has by name, what only follows from other words included. */
    public Map<String, Names> names() {
        Map<String, Names> names = new LinkedHashMap<>();
        nodes.forEach((name, node) -> names.put(
                name,
                new Names(
                        name,
                        node.regions(),
                        node.windows(),
                        node.cqs(),
                        node.qps(),
                        node.srqs(),
                        node.ahs(),
                        connections,
                        node.steps().stream().map(Step::makes).toList(),
                        node.memory())));
        return names;
    }

    /** Whether only a fabric whose links fail on command can run it. */
    public boolean needsFaults() {
        return !faults.isEmpty()
                || nodes.values().stream()
                        .flatMap(node -> node.steps().stream())
                        .anyMatch(Step::needsFaults);
    }

    /** The registers and words whose values distinguish outcomes: those that expectations name; empty for all. */
    public Set<String> observed() {
        Set<String> names = new LinkedHashSet<>();
        allowed.forEach(pattern -> names.addAll(pattern.values().keySet()));
        forbidden.forEach(each -> names.addAll(each.outcome().values().keySet()));
        if (canonical != null) {
            names.addAll(canonical.values().keySet());
        }
        if (stale != null) {
            names.addAll(stale.values().keySet());
        }
        return names;
    }
}

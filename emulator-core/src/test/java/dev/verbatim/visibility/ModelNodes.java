// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Nodes with their memory, adapters, queue pairs and programs, for {@link VisibilityModel}. Everything is made once, before the model
 * is asked, and is named by the number that its method returns.
 */
public final class ModelNodes {

    final List<NodeSpec> nodes = new ArrayList<>();
    final List<DomainSpec> domains = new ArrayList<>();
    final List<ObserverSpec> observers = new ArrayList<>();
    final List<WordSpec> words = new ArrayList<>();
    final List<QpSpec> qps = new ArrayList<>();
    final List<ProgramSpec> programs = new ArrayList<>();
    private int queues;

    /** What a node lacks; one that is not marked has coherent host memory and knows no paths. */
    record NodeSpec(Set<Weakness> weak, boolean isMarked, int cpu, int power) {}

    /** Memory of a node; the number of its GPU, -1 if it has none. */
    record DomainSpec(int node, MemoryDomain.Kind kind, int gpu) {}

    /** Who loads and stores; the domain of a GPU, -1 for others. */
    record ObserverSpec(int node, Observer.Kind kind, int domain) {}

    record WordSpec(String name, int domain, long initial) {}

    /** A queue pair, of which adapter, and where its requests and receives complete; its peer is set when it is joined. */
    static final class QpSpec {
        final int adapter;
        final int queue;
        int peer = -1;

        QpSpec(int adapter, int queue) {
            this.adapter = adapter;
            this.queue = queue;
        }
    }

    /** A program of an observer; the domain whose kernel it is and -1 for one of the CPU; whether it waits to be launched. */
    record ProgramSpec(int observer, int kernelOf, boolean isLaunched, List<ModelStep> steps) {}

    /** A node on a platform with these weaknesses; an unmarked one has coherent host memory. */
    public int node(Set<Weakness> weak, boolean isMarked) {
        int node = nodes.size();
        nodes.add(new NodeSpec(
                isMarked ? Set.copyOf(weak) : Set.of(Weakness.WRITES_IN_ANY_ORDER),
                isMarked,
                observer(node, Observer.Kind.CPU, -1),
                observer(node, Observer.Kind.POWER, -1)));
        return node;
    }

    private int observer(int node, Observer.Kind kind, int domain) {
        observers.add(new ObserverSpec(node, kind, domain));
        return observers.size() - 1;
    }

    /** Memory of a node, with a GPU if that is its kind. */
    public int domain(int node, MemoryDomain.Kind kind) {
        int domain = domains.size();
        boolean isDevice = kind == MemoryDomain.Kind.DEVICE;
        domains.add(new DomainSpec(node, kind, isDevice ? observer(node, Observer.Kind.GPU, domain) : -1));
        return domain;
    }

    /** A word of a domain. */
    public int word(String name, int domain, long initial) {
        words.add(new WordSpec(name, domain, initial));
        return words.size() - 1;
    }

    /** An adapter of a node. */
    public int adapter(int node) {
        return observer(node, Observer.Kind.ADAPTER, -1);
    }

    /** A completion queue. */
    public int queue() {
        return queues++;
    }

    int queues() {
        return queues;
    }

    /** A queue pair of an adapter. */
    public int qp(int adapter, int queue) {
        qps.add(new QpSpec(adapter, queue));
        return qps.size() - 1;
    }

    /** Connects two queue pairs, or one to itself. */
    public void join(int one, int other) {
        qps.get(one).peer = other;
        qps.get(other).peer = one;
    }

    /** A program of the CPU. */
    public void program(int node, List<ModelStep> steps) {
        programs.add(new ProgramSpec(nodes.get(node).cpu(), -1, false, List.copyOf(steps)));
    }

    /** A program of the GPU of a domain, which runs from the beginning or when it is launched. */
    public void kernel(int domain, boolean isLaunched, List<ModelStep> steps) {
        programs.add(new ProgramSpec(domains.get(domain).gpu(), domain, isLaunched, List.copyOf(steps)));
    }

    boolean lacks(int node, Weakness weakness) {
        return nodes.get(node).weak().contains(weakness);
    }

    DomainSpec domainOf(int word) {
        return domains.get(words.get(word).domain());
    }

    boolean areOnOnePath(int word, int other) {
        return words.get(word).domain() == words.get(other).domain();
    }

    int nodeOfAdapter(int adapter) {
        return observers.get(adapter).node();
    }
}

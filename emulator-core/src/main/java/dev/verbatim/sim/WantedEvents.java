// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which events of a node are taken, were or will be, by their indices, as {@link SourceSets} finds them needed. */
final class WantedEvents {

    /**
     * Some events of which one is to be taken, later than {@code before}: one that makes none impossible, or {@code itself}, if that makes
     * none but {@code before} impossible. As long as there is no such one, all of them are.
     *
     * @param itself -1 if that is none of them
     */
    record Demand(BitSet events, int before, int itself) {}

    final BitSet indices = new BitSet();

    /** Of those that make others impossible: which. The number of all events stands for one that would become possible later. */
    final Map<Integer, BitSet> impossible = new LinkedHashMap<>();

    final Set<Demand> demands = new LinkedHashSet<>();

    /** Of those for which that is known: which events had better be taken next, in order. */
    final Map<Integer, List<String>> guides = new LinkedHashMap<>();

    WantedEvents copy() {
        WantedEvents copy = new WantedEvents();
        copy.indices.or(indices);
        impossible.forEach((event, others) -> copy.impossible.put(event, (BitSet) others.clone()));
        copy.demands.addAll(demands);
        copy.guides.putAll(guides);
        return copy;
    }

    void add(int index) {
        indices.set(index);
    }

    /** The event had better be followed by those of the sequence that are not at this place. */
    void add(int index, List<String> sequence, int place) {
        indices.set(index);
        List<String> others = new ArrayList<>(sequence);
        others.remove(place);
        guides.putIfAbsent(index, others);
    }

    /** What had better follow an event; empty if that is not known. */
    List<String> guide(int index) {
        return guides.getOrDefault(index, List.of());
    }

    /** Whether it is a new one. */
    boolean add(Demand demand) {
        return demands.add(demand);
    }

    void makesImpossible(int event, int other) {
        impossible.computeIfAbsent(event, each -> new BitSet()).set(other);
        for (Demand demand : demands) {
            if (!isMet(demand)) {
                indices.or(demand.events);
            }
        }
    }

    /** Whether each makes another impossible, and one of them this. */
    boolean needsOther(int other) {
        return indices.stream().allMatch(impossible::containsKey)
                && impossible.values().stream().anyMatch(others -> others.get(other));
    }

    /** Whether nothing has to be added for it. */
    boolean isMet(Demand demand) {
        return demand.events.stream().anyMatch(index -> indices.get(index) && meets(index, demand));
    }

    private boolean meets(int index, Demand demand) {
        BitSet others = impossible.get(index);
        return others == null || (index == demand.itself && others.cardinality() == 1 && others.get(demand.before));
    }
}

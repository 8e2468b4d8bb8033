// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.carrier.SplitMix64;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * One random way down the tree of runs, which tells how many leaves it may have: the product of the numbers of branches on the way
 * (D. Knuth, <i>Estimating the Efficiency of Backtrack Programs</i>, Math. of Comp. 29, 1975).
 *
 * <p>Where every event is a branch, the mean over many ways is the number of leaves. In a reduced walk an event is a branch only if taking
 * it first can matter. Which these are a walk finds out from the races of all runs below; here it is what the one run shows: the event that
 * is taken, and each possible one with which the run can begin if a later event, which is in a race with it, comes first. So that estimate is
 * biased.
 */
final class Probe implements Schedule {

    private final OpenChoices openChoices;
    private final boolean reduced;
    private final int mostEvents;
    private final SplitMix64 random;
    private final List<ExplorationNode> run = new ArrayList<>();
    private final List<ChoiceList.Deviation> deviations = new ArrayList<>();
    private int choices;
    private int faults;
    private double leaves = 1;
    private boolean isCutShort;

    Probe(OpenChoices openChoices, boolean reduced, int mostEvents, long seed) {
        this.openChoices = openChoices;
        this.reduced = reduced;
        this.mostEvents = mostEvents;
        this.random = new SplitMix64(seed);
    }

    @Override
    public int next(List<? extends PossibleEvent> possible) {
        if (run.size() == mostEvents || isCutShort) {
            isCutShort = true;
            throw new DepthFirstExploration.RunAbandoned();
        }
        int candidates = openChoices.candidates(possible);
        String[] keys = possible.stream().map(PossibleEvent::key).toArray(String[]::new);
        ChoicePoint point = possible.get(0).point();
        ExplorationNode node = ExplorationNode.ofEvents(point, candidates, candidates, keys, false, List.of(), false);
        node.taken = take(point, candidates);
        run.add(node);
        leaves *= reduced ? 1 : candidates;
        return node.taken;
    }

    private int take(ChoicePoint point, int alternatives) {
        if (alternatives == 1) {
            return 0;
        }
        int index = random.below(alternatives);
        if (index != 0) {
            deviations.add(new ChoiceList.Deviation(choices, point, alternatives, index));
        }
        choices++;
        return index;
    }

    @Override
    public void happened(PossibleEvent event, Footprint footprint) {
        run.get(run.size() - 1).touchedNow = footprint;
    }

    @Override
    public void disturbed() {
        if (!run.isEmpty()) {
            run.get(run.size() - 1).touchedNow = new Footprint().everything();
        }
    }

    @Override
    public boolean isOpen(ChoicePoint point) {
        return openChoices.isOn(point);
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        boolean isFault = point.kind() == ChoicePoint.Kind.FAULT;
        if (alternatives == 1 || !openChoices.isOn(point) || (isFault && faults >= openChoices.faults())) {
            return 0;
        }
        leaves *= alternatives;
        int index = take(point, alternatives);
        faults += isFault && index != 0 ? 1 : 0;
        return index;
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && choose(point, 2) == 1;
    }

    /** Whether the run was given up, as it had too many events. */
    boolean isCutShort() {
        return isCutShort;
    }

    /** The choices that were made. */
    ChoiceList choices() {
        return new ChoiceList(choices, deviations);
    }

    /** The estimate, after the run. */
    double leaves() {
        if (!reduced) {
            return leaves;
        }
        EventRaces.find(run, 0, List.of(), Collections.emptySet());
        double estimate = leaves;
        for (int i = 0; i < run.size(); i++) {
            estimate *= branches(i);
        }
        return estimate;
    }

    /** The event that is taken, and those that come first of what a later one needs that is in a race with it. */
    private int branches(int i) {
        ExplorationNode node = run.get(i);
        BitSet branches = new BitSet();
        branches.set(node.taken);
        for (int j = i + 1; j < run.size(); j++) {
            EventRaces later = run.get(j).follows;
            if (later.races().get(i)) {
                BitSet needed = new BitSet();
                later.before().stream()
                        .filter(k -> k > i && !run.get(k).follows.before().get(i))
                        .forEach(needed::set);
                needed.set(j);
                addFirst(needed, node, branches);
            }
        }
        return branches.cardinality();
    }

    private void addFirst(BitSet events, ExplorationNode node, BitSet branches) {
        for (int k = events.nextSetBit(0); k >= 0; k = events.nextSetBit(k + 1)) {
            int index = run.get(k).follows.before().intersects(events)
                    ? -1
                    : node.indexOf(run.get(k).key());
            if (index >= 0) {
                branches.set(index);
            }
        }
    }

    @Override
    public String toString() {
        return "probe of " + openChoices;
    }
}

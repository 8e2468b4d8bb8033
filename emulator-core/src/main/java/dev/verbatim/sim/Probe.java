// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.carrier.SplitMix64;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * One random way down the tree of runs, which tells how many leaves it may have: the product of the numbers of branches on the way
 * (D. Knuth, <i>Estimating the Efficiency of Backtrack Programs</i>, Math. of Comp. 29, 1975).
 *
 * <p>Where every event is a branch, the mean over many ways is the number of leaves. In a reduced walk an event is a branch only if taking
 * it first can matter. Which these are a walk finds out from the races of all runs below; here it is what the one run shows: the event that
 * is taken, and each possible one that comes first among the causes of a later event that conflicts with it. So that estimate is biased.
 */
final class Probe implements Schedule {

    /** An event of the run: what was possible, which of that was taken, and what it touched. */
    private static final class Taken {
        final String[] keys;
        final int index;
        Footprint touched = new Footprint();
        BitSet causes = new BitSet();

        Taken(String[] keys, int index) {
            this.keys = keys;
            this.index = index;
        }

        String key() {
            return keys[index];
        }

        int indexOf(String key) {
            return Arrays.asList(keys).indexOf(key);
        }
    }

    private final OpenChoices openChoices;
    private final boolean reduced;
    private final int mostEvents;
    private final SplitMix64 random;
    private final List<Taken> run = new ArrayList<>();
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
        String[] keys = new String[openChoices.candidates(possible)];
        Arrays.setAll(keys, i -> possible.get(i).key());
        int index = take(possible.get(0).point(), keys.length);
        run.add(new Taken(keys, index));
        leaves *= reduced ? 1 : keys.length;
        return index;
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
        run.get(run.size() - 1).touched = new Footprint().addAll(footprint);
    }

    @Override
    public void disturbed() {
        if (!run.isEmpty()) {
            run.get(run.size() - 1).touched.everything();
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
        for (int j = 0; j < run.size(); j++) {
            run.get(j).causes = causes(j);
        }
        double estimate = leaves;
        for (int i = 0; i < run.size(); i++) {
            estimate *= branches(i);
        }
        return estimate;
    }

    /** What had to happen for event j: the event before of the same key, what made it possible, and their causes. */
    private BitSet causes(int j) {
        BitSet causes = new BitSet(j);
        Taken event = run.get(j);
        boolean isPossible = true;
        for (int i = j - 1; i >= 0; i--) {
            boolean isCause = run.get(i).key().equals(event.key());
            if (isPossible && run.get(i).indexOf(event.key()) < 0) {
                isPossible = false;
                isCause = true;
            }
            if (isCause || run.get(i).touched.mustPrecede(event.touched)) {
                causes.set(i);
                causes.or(run.get(i).causes);
            }
        }
        return causes;
    }

    private int branches(int i) {
        Taken node = run.get(i);
        if (node.keys.length == 1) {
            return 1;
        }
        BitSet branches = new BitSet();
        branches.set(node.index);
        for (int j = i + 1; j < run.size(); j++) {
            Taken later = run.get(j);
            if (!later.causes.get(i)
                    && node.touched.conflictsWith(later.touched)
                    && !node.touched.isForcedBy(later.touched)) {
                for (int k = i + 1; k <= j; k++) {
                    Taken first = run.get(k);
                    boolean leadsTo = k == j || later.causes.get(k);
                    if (leadsTo && first.causes.nextSetBit(i + 1) < 0) {
                        int index = node.indexOf(first.key());
                        if (index >= 0) {
                            branches.set(index);
                        }
                    }
                }
            }
        }
        return branches.cardinality();
    }

    @Override
    public String toString() {
        return "probe of " + openChoices;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Finds out which events have to be taken at the nodes of a run, after it ended or was abandoned. At first one that does not sleep is taken;
 * others when two events of a run turn out to be in a race, which means that their order may matter and that nothing between them decides it.
 * These are source sets (P. Abdulla, S. Aronis, B. Jonsson and K. Sagonas, <i>Source Sets: A Foundation for Optimal Dynamic Partial Order
 * Reduction</i>, J. ACM 64(4), 2017), with more events than there, since here a footprint may depend on the state.
 *
 * <h2>What is taken</h2>
 *
 * <p>Event i is before event j of a run if both have the same key, if i comes first and their footprints conflict, or if something is between
 * them in this sense. It is a race if nothing is between. Then those are taken at the node of i that are possible there and do not sleep, of
 * the events of the run that come later, do not come after i in this sense, and come first among these; and j, if it is possible there.
 *
 * <p>Nothing can be concluded from a taken event p if it makes another impossible: if that was possible at the node and is not after p, or
 * if it is the next step of a program that waits for two things together, and p, which need not come before the step before, changed something where
 * its condition looked. At each node one is taken that does no such thing, as long as there is one.
 *
 * <h2>Why no outcome is lost</h2>
 *
 * <p><i>For each run w from s that can begin with no event that sleeps at s, a run is walked through that contains w</i>: with all its
 * events, up to places changed by neighbours whose footprints do not conflict, and possibly with others in between. For the whole tree that
 * is every outcome, since nothing sleeps at the root, and a run that has come to its end contains nothing but itself. By induction over the
 * order in which the walk leaves nodes:
 *
 * <ul>
 *   <li>If w can begin with an event p that is taken at s, so that w stands for p·v, then v is contained in a run that was walked through behind
 *       s·p; choose the p that was taken first, so that nothing sleeps there with which v can begin.
 *   <li>If an event p that is taken at s conflicts with no event of w, then p·w is a run that contains w.
 *   <li>Otherwise let p be taken, and make nothing impossible, and let q be the first event of w that conflicts with it: w begins with v·q, and
 *       p·v is a run. So is p·v·q, and a run was walked through that contains it. There p and q are in a race: they conflict also there, since q
 *       behaves differently only if it looks at something that p changed, and what is in between conflicts with none of them that comes later in w.
 *       The first event of v·q is possible at s, does not sleep, is not after p, and first among those, or it is q. So it was taken, and w can
 *       begin with it.
 * </ul>
 *
 * <p>That needs the square of {@link DepthFirstExploration} alone: not that footprints are the same in every state, nor that they tell
 * what makes an event possible. A race is none if the later event was made by the earlier one, or if their order is fixed, such as that of the
 * packets of a flow: then there is no w.
 *
 * <p>What an event keeps from becoming possible is not seen by looking at what is possible. Conditions of two
 * things tell it. Everything else that can happen is made possible by an event that conflicts with those that prevent it: both change the one
 * thing that it depends on, or it is told as if they did, as of a post and an RNR NAK.
 */
final class SourceSets {

    /** The events of the run, as nodes. */
    private final List<ExplorationNode> run;

    /** What was possible after the last one. */
    private final List<String> possibleAtEnd;

    private final Map<String, Footprint> awaitedAtEnd;

    SourceSets(List<ExplorationNode> run, String[] possibleAtEnd, Map<String, Footprint> awaitedAtEnd) {
        this.run = run;
        this.possibleAtEnd = Arrays.asList(possibleAtEnd);
        this.awaitedAtEnd = awaitedAtEnd;
    }

    /**
     * Has everything taken that this run shows to be needed.
     *
     * @param firstNew the first event that was not part of an earlier run, or has another footprint now
     */
    void complete(int firstNew) {
        for (int j = firstNew; j < run.size(); j++) {
            findWhatIsBefore(j);
            for (int i = 0; i < j; i++) {
                if (isRace(i, j)) {
                    run.get(j).races.set(i);
                }
            }
        }
        for (int j = 0; j < run.size(); j++) {
            BitSet races = run.get(j).races;
            for (int i = races.nextSetBit(0); i >= 0; i = races.nextSetBit(i + 1)) {
                reverse(i, j);
            }
        }
        for (int i = firstNew; i < run.size(); i++) {
            if (makesImpossible(i)) {
                run.get(i).makesImpossible();
            }
        }
        TreeSet<String> waiting = new TreeSet<>(awaitedAtEnd.keySet());
        run.forEach(node -> waiting.addAll(node.awaited.keySet()));
        waiting.forEach(this::findWhatKeepsImpossible);
    }

    private static String key(ExplorationNode node) {
        return node.keys[node.taken];
    }

    /** Whether two events, of which the first comes first, are in order without another between them. */
    private boolean areInOrder(int i, int j) {
        return key(run.get(i)).equals(key(run.get(j))) || run.get(i).touchedNow.conflictsWith(run.get(j).touchedNow);
    }

    private void findWhatIsBefore(int j) {
        BitSet before = new BitSet(j);
        for (int i = j - 1; i >= 0; i--) {
            if (!before.get(i) && areInOrder(i, j)) {
                before.set(i);
                before.or(run.get(i).before);
            }
        }
        run.get(j).before = before;
        run.get(j).races = new BitSet(j);
    }

    /** Whether the two are in order, and nothing comes between. */
    private boolean isRace(int i, int j) {
        if (!run.get(i).isSelective()
                || !run.get(j).before.get(i)
                || key(run.get(i)).equals(key(run.get(j)))
                || run.get(i).touchedNow.mustPrecede(run.get(j).touchedNow)) {
            return false;
        }
        BitSet before = run.get(j).before;
        for (int k = before.nextSetBit(i + 1); k >= 0; k = before.nextSetBit(k + 1)) {
            if (run.get(k).before.get(i)) {
                return false;
            }
        }
        return true;
    }

    /** Has everything taken at i with which a run can begin in which j comes before i. */
    private void reverse(int i, int j) {
        ExplorationNode node = run.get(i);
        BitSet apart = new BitSet();
        for (int k = i + 1; k < run.size(); k++) {
            ExplorationNode other = run.get(k);
            boolean isFirst = k == j;
            if (k != j && !other.before.get(i)) {
                isFirst = !other.before.intersects(apart);
                apart.set(k);
            }
            int index = isFirst ? node.indexOf(key(other)) : -1;
            if (index >= 0) {
                node.want(index);
            }
        }
    }

    private List<String> possibleAfter(int i) {
        return i + 1 < run.size() ? Arrays.asList(run.get(i + 1).keys) : possibleAtEnd;
    }

    private boolean makesImpossible(int i) {
        ExplorationNode node = run.get(i);
        List<String> after = possibleAfter(i);
        for (String key : node.keys) {
            if (!key.equals(key(node)) && !after.contains(key)) {
                return true;
            }
        }
        return false;
    }

    /** Finds what changes something that decides whether an event is possible, which then is not. */
    private void findWhatKeepsImpossible(String event) {
        Footprint looks = new Footprint();
        int last = -1;
        for (int end = 0; end <= run.size(); end++) {
            Map<String, Footprint> awaited = end < run.size() ? run.get(end).awaited : awaitedAtEnd;
            Footprint more = awaited.get(event);
            if (more != null) {
                looks.addAll(more);
            }
            if (end == run.size() || key(run.get(end)).equals(event)) {
                findWhatChanges(looks, event, last, end);
                last = end;
                looks = new Footprint();
            }
        }
    }

    /** Finds who changed what was looked at, other than what had to come before the event that was last, until there was another. */
    private void findWhatChanges(Footprint looks, String event, int last, int end) {
        for (int i = 0; i < end; i++) {
            boolean isEarly = i <= last
                    ? i == last || run.get(last).before.get(i)
                    : possibleAfter(i).contains(event);
            if (!isEarly && run.get(i).touchedNow.changesWhatTouches(looks)) {
                run.get(i).makesImpossible();
            }
        }
    }
}

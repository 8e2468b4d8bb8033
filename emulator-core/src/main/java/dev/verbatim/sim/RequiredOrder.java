// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which events of a run come before which others in each of its orders that the points permit.
 *
 * <p>Events stay in their order whose footprints conflict, and those with one key, and what makes an event possible comes before it. So much holds
 * in all orders that end alike. Where points are off, more follows. Let event f be possible from event m on, and let its point be off. Then nothing
 * that is behind f in the canonical order happens between the two. So what has to come before f, and is behind it there, has to come
 * before m.
 *
 * <p>That needs f to be possible from m on in each order. What does not conflict with f leaves it possible. What conflicts with it, comes before it,
 * and need not come before m, must have come after m in the run, each behind the one before: then the run has shown f to be possible after
 * each of them. Otherwise nothing is said of f.
 *
 * <p>It is not said either which order within a kind of events is canonical, as that depends on what happened before.
 */
final class RequiredOrder {

    private final OpenChoices openChoices;
    private final List<ExplorationNode> run;

    /** Of each event: which others have to come before. */
    private final BitSet[] earlier;

    private boolean isImpossible;

    /** @param run the events of a run that came to its end */
    RequiredOrder(OpenChoices openChoices, List<ExplorationNode> run) {
        this.openChoices = openChoices;
        this.run = run;
        this.earlier = new BitSet[run.size()];
        int[] makers = new int[run.size()];
        for (int j = 0; j < earlier.length; j++) {
            makers[j] = EventRaces.maker(run, j);
            earlier[j] = new BitSet(run.size());
            for (int i = j - 1; i >= 0; i--) {
                if (!earlier[j].get(i) && (i == makers[j] || run.get(i).staysBefore(run.get(j)))) {
                    precedes(i, j);
                }
            }
        }
        BitSet fixed = new BitSet();
        for (int j = 0; j < earlier.length && isKnown(); j++) {
            fixed.set(j, isFixed(makers[j], j));
        }
        boolean goesOn = true;
        while (goesOn) {
            goesOn = false;
            for (int j = fixed.nextSetBit(0); j >= 0 && !isImpossible; j = fixed.nextSetBit(j + 1)) {
                goesOn |= comesRightAfter(makers[j], j);
            }
        }
    }

    /** Whether it is known of all events at which points they were possible, as it is not of those that were read from a checkpoint. */
    private boolean isKnown() {
        return run.stream().allMatch(node -> node.points.length > 0);
    }

    /** Which others have to come before the event. */
    BitSet before(int event) {
        return earlier[event];
    }

    /** Whether there is no such order. */
    boolean isImpossible() {
        return isImpossible;
    }

    private void precedes(int i, int j) {
        earlier[j].set(i);
        earlier[j].or(earlier[i]);
    }

    private int kind(int event) {
        ExplorationNode node = run.get(event);
        return EnabledEvents.kind(node.key(), node.points[node.taken]);
    }

    /** Whether the event is possible from its maker on, in each order, and must not be passed over. */
    private boolean isFixed(int maker, int j) {
        for (int i = maker + 1; i <= j; i++) {
            int index = Arrays.asList(run.get(i).possible).indexOf(run.get(j).key());
            if (openChoices.isOn(run.get(i).points[index])) {
                return false;
            }
        }
        int last = maker;
        for (int i = 0; i < j; i++) {
            boolean isApart = i != maker && (maker < 0 || !earlier[maker].get(i));
            if (isApart && run.get(i).staysBefore(run.get(j))) {
                if (i < maker || (last > maker && !earlier[i].get(last))) {
                    return false;
                }
                last = i;
            }
        }
        return true;
    }

    /** What has to come before the event, and is behind it in the canonical order, comes before its maker; whether that is new. */
    private boolean comesRightAfter(int maker, int j) {
        int kind = kind(j);
        boolean isNew = false;
        for (int i = earlier[j].nextSetBit(0); i >= 0; i = earlier[j].nextSetBit(i + 1)) {
            if (i != maker && kind(i) > kind && (maker < 0 || !earlier[maker].get(i))) {
                if (maker < 0 || earlier[i].get(maker)) {
                    isImpossible = true;
                    return false;
                }
                isNew = true;
                precedes(i, maker);
                for (int k = 0; k < earlier.length; k++) {
                    if (earlier[k].get(maker)) {
                        earlier[k].or(earlier[maker]);
                    }
                }
            }
        }
        return isNew;
    }

    @Override
    public String toString() {
        return isImpossible ? "no order" : Arrays.toString(earlier);
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A decision on the path that a {@link DepthFirstExploration} is on: which event is next, or which alternative is taken. */
final class ExplorationNode {

    /** The point that is asked. */
    final ChoicePoint point;

    /** How many alternatives there are: of events, those that may be next. */
    final int alternatives;

    /** The events that may be next, by key; empty where an alternative is chosen. */
    final String[] keys;

    /** Whether it stays as it is, since a caller said so. */
    final boolean isPinned;

    int taken;

    /** Of an event: who sleeps here, first those who came asleep, then those that were taken here. */
    private List<SleepSetEntry> asleep;

    /** Of an event: whether a run ended with the one that is taken. */
    private boolean isLast;

    /** Of an event: what the one that is taken touched, in all runs through here. */
    private Footprint touched = new Footprint();

    /** Of an event, where it is remembered: what came after those that were taken here. */
    private @Nullable List<Branch> branches;

    /** Of an event: whether something that came after it was not remembered. */
    private boolean isForgetful;

    /** Which events are taken, were, or will be; null where all are that do not sleep. */
    private @Nullable BitSet wanted;

    /** Which of them made another impossible. */
    private final BitSet disabling = new BitSet();

    /** Of an event: what the one that is taken touched in this run. */
    Footprint touchedNow = new Footprint();

    /** Which events of the run are before it, and which of them are in a race with it; by their places in the run. */
    BitSet before = new BitSet();

    BitSet races = new BitSet();

    /** Of an event: what was looked at to find out whether another is possible here, by the key of that one. */
    Map<String, Footprint> awaited = Collections.emptyMap();

    /** What came after event {@code taken} in which {@code chosen} was chosen. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares branches
    private record Branch(int taken, int[] chosen, ExplorationNode next) {}

    /**
     * What changes between two runs.
     *
     * @param wanted null where all are taken that do not sleep
     */
    record State(
            int taken,
            List<SleepSetEntry> asleep,
            boolean isLast,
            Footprint touched,
            @Nullable BitSet wanted,
            BitSet disabling) {}

    private ExplorationNode(
            ChoicePoint point, int alternatives, String[] keys, List<SleepSetEntry> asleep, boolean isPinned) {
        this.point = point;
        this.alternatives = alternatives;
        this.keys = keys;
        this.asleep = asleep;
        this.isPinned = isPinned;
    }

    static ExplorationNode ofEvents(ChoicePoint point, String[] keys, List<SleepSetEntry> asleep, boolean isPinned) {
        return new ExplorationNode(point, keys.length, keys, asleep, isPinned);
    }

    static ExplorationNode ofAlternatives(ChoicePoint point, int alternatives, boolean isPinned) {
        return new ExplorationNode(point, alternatives, new String[0], List.of(), isPinned);
    }

    /** As it was written; what came after it is not remembered any more. */
    static ExplorationNode restored(ChoicePoint point, int alternatives, String[] keys, boolean isPinned, State state) {
        ExplorationNode node = new ExplorationNode(point, alternatives, keys, state.asleep, isPinned);
        node.taken = state.taken;
        node.isLast = state.isLast;
        node.touched = state.touched;
        node.wanted = state.wanted;
        node.disabling.or(state.disabling);
        node.isForgetful = true;
        return node;
    }

    State state() {
        return new State(taken, asleep, isLast, touched, wanted, disabling);
    }

    boolean isOfEvents() {
        return keys.length > 0;
    }

    /** Whether the choice shows in a list of choices. */
    boolean isChoice() {
        return alternatives > 1;
    }

    /** Takes the first that does not sleep, and later only those that {@link #want} adds; false if there is none. */
    boolean selectFirst() {
        wanted = new BitSet();
        return takeWanted();
    }

    /** Whether only some of its events are taken. */
    boolean isSelective() {
        return wanted != null;
    }

    /** Takes the first that is wanted and does not sleep, or the first of all where nothing is wanted yet; false if there is none. */
    boolean takeWanted() {
        BitSet all = Objects.requireNonNull(wanted);
        for (int i = 0; i < alternatives; i++) {
            if ((all.isEmpty() || all.get(i)) && !isAsleep(i)) {
                all.set(i);
                taken = i;
                return true;
            }
        }
        return false;
    }

    /** The event is to be taken as well, unless it sleeps. */
    void want(int index) {
        if (!isAsleep(index)) {
            Objects.requireNonNull(wanted).set(index);
        }
    }

    /** The event that is taken makes another impossible: one is to be taken that does not. */
    void makesImpossible() {
        BitSet all = wanted;
        if (all != null) {
            disabling.set(taken);
            for (int i = 0; i < alternatives && all.cardinality() == disabling.cardinality(); i++) {
                want(i);
            }
        }
    }

    /** The first event before the one that is taken that neither sleeps nor was taken; -1 if there is none. */
    int firstLeftOut() {
        for (int i = 0; wanted != null && i < taken; i++) {
            if (!isAsleep(i)) {
                return i;
            }
        }
        return -1;
    }

    /** Takes the first from {@code from} on that does not sleep; false if there is none. */
    boolean take(int from) {
        for (int i = from; i < alternatives; i++) {
            if (!isAsleep(i)) {
                taken = i;
                return true;
            }
        }
        return false;
    }

    /** Takes the next that does not sleep, and lets the event that was taken sleep where {@code reduced}; false if there is none. */
    boolean takeNext(boolean reduced) {
        if (reduced && isOfEvents()) {
            asleep = new ArrayList<>(asleep);
            asleep.add(
                    new SleepSetEntry(keys[taken], touched, isLast, isForgetful ? List.of() : branches(taken, null)));
            touched = new Footprint();
            isLast = false;
        }
        return wanted == null ? take(taken + 1) : takeWanted();
    }

    /** Which of the alternatives the event is; -1 if it may not be next. */
    int indexOf(String event) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i].equals(event)) {
                return i;
            }
        }
        return -1;
    }

    private boolean isAsleep(int index) {
        for (SleepSetEntry entry : asleep) {
            if (entry.key().equals(keys[index])) {
                return true;
            }
        }
        return false;
    }

    /** A run ended with the event that is taken. */
    void endsRun() {
        isLast = true;
    }

    /** The event that is taken touched this. */
    void touch(Footprint footprint) {
        touched.addAll(footprint);
    }

    /** The entries that stay asleep after an event with this footprint. */
    List<SleepSetEntry> undisturbedBy(Footprint footprint) {
        List<SleepSetEntry> undisturbed = new ArrayList<>(asleep.size());
        for (SleepSetEntry entry : asleep) {
            if (!entry.footprint().conflictsWith(footprint)) {
                requireNotLast(entry);
                undisturbed.add(entry);
            }
        }
        return undisturbed;
    }

    /** As {@link #undisturbedBy}, and it was seen that the event that is taken may be next after the entry too. */
    List<SleepSetEntry> seenToSleepOn(Footprint footprint, int[] chosen) {
        List<SleepSetEntry> seen = new ArrayList<>();
        for (SleepSetEntry entry : undisturbedBy(footprint)) {
            if (entry.mayBeFollowedBy(keys[taken])) {
                seen.add(entry.followedBy(keys[taken], chosen));
            }
        }
        return seen;
    }

    /** After the event that is taken, and what was chosen inside of it, comes this. */
    void remember(int[] chosen, ExplorationNode next) {
        if (branches == null) {
            branches = new ArrayList<>(1);
        }
        branches.add(new Branch(taken, chosen, next));
    }

    /** There was no room to remember what comes after the event that is taken. */
    void forget() {
        isForgetful = true;
    }

    /** What came after an event, and after these choices inside of it, or after all that were possible. */
    List<ExplorationNode> branches(int event, int @Nullable [] chosen) {
        List<ExplorationNode> found = new ArrayList<>();
        if (branches != null) {
            for (Branch branch : branches) {
                if (branch.taken == event && (chosen == null || Arrays.equals(branch.chosen, chosen))) {
                    found.add(branch.next);
                }
            }
        }
        return found;
    }

    private void requireNotLast(SleepSetEntry entry) {
        if (entry.isLast()) {
            throw new IllegalStateException("a run ended after \"" + entry.key() + "\", while \"" + keys[taken]
                    + "\", which does not touch what it touches, was still possible; explore programs that go on until"
                    + " nothing is possible, or whose last event touches everything");
        }
    }
}

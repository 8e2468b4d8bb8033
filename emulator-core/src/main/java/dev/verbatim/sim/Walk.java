// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceTally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The way through the tree of all runs, depth first: the schedule of one run after the other. */
final class Walk implements Schedule {

    /** Stands for how many faults are left, which a fault changes for whoever may have the next. */
    private static final String FAULTS_LEFT = "faults left";

    /** Of so many events it is remembered what was possible after them; about a hundred bytes each. */
    private static final int MOST_REMEMBERED = 1_000_000;

    private final Freedom freedom;
    private final boolean reduced;
    private final boolean remembers;
    private final int mostEvents;
    private final ForcedChoices forced;
    private final boolean countsFaults;

    private final List<WalkNode> path = new ArrayList<>();
    private int lastEventIndex;
    private int remembered;

    private int position;
    private int eventIndex;
    private int events;
    private int faults;
    private boolean inEvent;
    private boolean askedForFault;
    private boolean hadFault;
    private List<Sleeper> asleep = List.of();
    private boolean abandoned;
    private boolean cutShort;

    Walk(Freedom freedom, boolean reduced, int mostEvents, ForcedChoices forced) {
        this.freedom = freedom;
        this.reduced = reduced;
        this.remembers = reduced && freedom.fixesSomeOrder();
        this.mostEvents = mostEvents;
        this.forced = forced;
        this.countsFaults = freedom.faults() > 0 && freedom.faults() < Freedom.UNBOUNDED;
    }

    /** Makes ready for the next run. */
    void begin() {
        lastEventIndex = path.size() - 1;
        while (lastEventIndex >= 0 && !path.get(lastEventIndex).isOfEvents()) {
            lastEventIndex--;
        }
        position = 0;
        eventIndex = -1;
        events = 0;
        faults = 0;
        inEvent = false;
        asleep = List.of();
        abandoned = false;
        cutShort = false;
    }

    @Override
    public int next(List<? extends PossibleEvent> possible) {
        if (abandoned || cutShort) {
            throw new RunAbandoned();
        }
        if (inEvent) {
            disturbAll();
        }
        if (events == mostEvents) {
            cutShort = true;
            throw new RunAbandoned();
        }
        int candidates = freedom.candidates(possible);
        WalkNode node = position < path.size() ? pathNode(possible, candidates) : newNode(possible, candidates);
        eventIndex = position++;
        events++;
        inEvent = true;
        askedForFault = false;
        hadFault = false;
        return node.taken;
    }

    private WalkNode pathNode(List<? extends PossibleEvent> possible, int candidates) {
        WalkNode node = path.get(position);
        String expected = node.isOfEvents() ? node.keys[node.taken] : node.point.label();
        if (!node.isOfEvents()
                || node.alternatives != candidates
                || !expected.equals(possible.get(node.taken).key())) {
            throw differs(
                    expected, possible.get(Math.min(node.taken, candidates - 1)).key());
        }
        return node;
    }

    private WalkNode newNode(List<? extends PossibleEvent> possible, int candidates) {
        String[] keys = new String[candidates];
        for (int i = 0; i < candidates; i++) {
            keys[i] = possible.get(i).key();
        }
        ChoicePoint point = possible.get(0).point();
        boolean isPinned = candidates > 1 && forced.isPinned();
        WalkNode node = WalkNode.ofEvents(point, keys, stillPossible(keys), isPinned);
        if (remembers && eventIndex >= 0) {
            remember(path.get(eventIndex), node);
        }
        if (candidates > 1 && forced.remain()) {
            node.taken = forced.next(point, candidates);
            // What it touched in the runs that were before, nobody knows any more.
            node.touch(new Footprint().everything());
        } else if (!node.take(0)) {
            abandoned = true;
            throw new RunAbandoned();
        }
        lastEventIndex = path.size();
        path.add(node);
        return node;
    }

    /** Those asleep that may be next; where no order is fixed, that must be all of them. */
    private List<Sleeper> stillPossible(String[] keys) {
        List<Sleeper> possible = new ArrayList<>(asleep.size());
        List<String> list = Arrays.asList(keys);
        for (Sleeper sleeper : asleep) {
            if (list.contains(sleeper.key())) {
                possible.add(sleeper);
            } else if (!remembers) {
                throw new IllegalStateException("event \"" + sleeper.key()
                        + "\" is no longer possible after events whose footprints do not conflict with "
                        + sleeper.footprint() + "; a footprint leaves something out");
            }
        }
        return possible;
    }

    private void remember(WalkNode before, WalkNode next) {
        if (remembered == MOST_REMEMBERED) {
            before.forget();
        } else {
            remembered++;
            before.remember(chosenInside(), next);
        }
    }

    /** What was chosen inside of the event that was last. */
    private int[] chosenInside() {
        int[] chosen = new int[position - eventIndex - 1];
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = path.get(eventIndex + 1 + i).taken;
        }
        return chosen;
    }

    @Override
    public boolean isOpen(ChoicePoint point) {
        return freedom.isOn(point);
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        if (alternatives < 1) {
            throw new IllegalArgumentException(point + " has alternatives=" + alternatives + " < 1");
        }
        if (alternatives == 1 || !freedom.isOn(point)) {
            return 0;
        }
        if (!inEvent && eventIndex >= 0) {
            disturbAll();
        }
        if (point.kind() == ChoicePoint.Kind.FAULT) {
            askedForFault = true;
            if (faults >= freedom.faults()) {
                return 0;
            }
        }
        WalkNode node = position < path.size() ? path.get(position) : newAlternatives(point, alternatives);
        if (node.isOfEvents() || node.point != point || node.alternatives != alternatives) {
            throw differs(node.point.label(), point.label());
        }
        position++;
        if (node.taken != 0 && point.kind() == ChoicePoint.Kind.FAULT) {
            faults++;
            hadFault = true;
        }
        return node.taken;
    }

    private WalkNode newAlternatives(ChoicePoint point, int alternatives) {
        WalkNode node = WalkNode.ofAlternatives(point, alternatives, forced.isPinned());
        if (forced.remain()) {
            node.taken = forced.next(point, alternatives);
        }
        path.add(node);
        return node;
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && choose(point, 2) == 1;
    }

    private IllegalStateException differs(String expected, String found) {
        return new IllegalStateException(
                "decision " + position + " of a run that begins like an earlier one was about \""
                        + expected + "\" and is about \"" + found
                        + "\" now; the program must do the same in all runs that begin alike");
    }

    @Override
    public void happened(PossibleEvent event, Footprint footprint) {
        inEvent = false;
        if (reduced && eventIndex == lastEventIndex) {
            Footprint touched = new Footprint().addAll(footprint);
            if (countsFaults && askedForFault) {
                touched.add(new Footprint.Touch(FAULTS_LEFT, 0, 1, hadFault));
            }
            WalkNode node = path.get(eventIndex);
            node.touch(touched);
            asleep = remembers ? node.seenToSleepOn(touched, chosenInside()) : node.undisturbedBy(touched);
        }
    }

    /** Something happened that no footprint tells of. */
    private void disturbAll() {
        asleep = List.of();
        path.get(eventIndex).touch(new Footprint().everything());
    }

    /** The run came to its end by itself. */
    void end() {
        if (eventIndex >= 0) {
            path.get(eventIndex).endsRun();
        }
    }

    /** Turns to the next run; false if there is none. */
    boolean advance() {
        while (!path.isEmpty()) {
            WalkNode last = path.get(path.size() - 1);
            if (!last.isPinned && last.takeNext(reduced)) {
                return true;
            }
            path.remove(path.size() - 1);
        }
        return false;
    }

    /** Whether the run that was last was given up, as everything that could follow was seen elsewhere. */
    boolean isAbandoned() {
        return abandoned;
    }

    /** Whether the run that was last was given up, as it had too many events. */
    boolean isCutShort() {
        return cutShort;
    }

    /** How many events the run that was last had. */
    int events() {
        return events;
    }

    /** The choices on the path. */
    ChoiceList choices() {
        List<ChoiceList.Deviation> deviations = new ArrayList<>();
        int length = 0;
        for (WalkNode node : path) {
            if (node.isChoice()) {
                if (node.taken != 0) {
                    deviations.add(new ChoiceList.Deviation(length, node.point, node.alternatives, node.taken));
                }
                length++;
            }
        }
        return new ChoiceList(length, deviations);
    }

    /** How many choices on the path are not taken at the first alternative. */
    int countInto(ChoiceTally tally) {
        int deviations = 0;
        for (WalkNode node : path) {
            if (node.isChoice()) {
                tally.count(node.point, node.taken);
                deviations += node.taken != 0 ? 1 : 0;
            }
        }
        return deviations;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceTally;
import dev.verbatim.fabric.EndsRun;
import dev.verbatim.sim.replay.ForcedChoices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the tree of all runs, depth first: the schedule of one run after the other.
 *
 * <p>A node is a decision: which event is next, or which alternative is taken inside of an event. Nothing is saved of a
 * simulation; to come to the next leaf, the program runs again from its beginning, and the path tells it what to decide up to
 * the deepest decision that has something left. So a run costs its whole length, and memory is that of one path.
 *
 * <p>Orders that cannot be distinguished are left out by sleep sets, and those for which no race asks are not begun at all.
 * docs/exploration.md has both, where some order is fixed too, and why no outcome is lost.
 */
final class DepthFirstExploration implements Schedule {

    /** Stands for the number of faults left, which each fault changes. */
    private static final String FAULTS_LEFT = "faults left";

    /** Of so many events it is remembered what was possible after them; about a hundred bytes each. */
    private static final int MOST_REMEMBERED = 1_000_000;

    /** Ends a run in which nothing new can come. Programs let it pass. */
    static final class RunAbandoned extends RuntimeException implements EndsRun {

        private static final long serialVersionUID = 1;

        RunAbandoned() {
            super(
                    "the run ends here, since exploring it further shows nothing new; let this exception pass",
                    null,
                    false,
                    false);
        }
    }

    private final Freedom freedom;
    private final boolean reduced;
    private final boolean remembers;
    private final int mostEvents;
    private final ForcedChoices forced;
    private final boolean countsFaults;
    private final @Nullable Races races;

    private final List<ExplorationNode> path = new ArrayList<>();
    private int lastEventIndex;
    private int remembered;

    private int position;
    private int eventIndex;
    private int events;
    private int faults;
    private boolean inEvent;
    private boolean askedForFault;
    private boolean hadFault;
    private List<SleepSetEntry> asleep = List.of();
    private boolean abandoned;
    private boolean cutShort;
    private @Nullable String problem;

    /**
     * Before the first run.
     *
     * @param racing whether only those orders are explored that a race was seen to ask for
     */
    DepthFirstExploration(Freedom freedom, boolean reduced, boolean racing, int mostEvents, ForcedChoices forced) {
        this.freedom = freedom;
        this.reduced = reduced;
        this.remembers = reduced && freedom.fixesSomeOrder();
        this.mostEvents = mostEvents;
        this.forced = forced;
        this.countsFaults = freedom.faults() > 0 && freedom.faults() < Freedom.UNBOUNDED;
        this.races = racing && reduced ? new Races(remembers, freedom.faults() > 0) : null;
    }

    /** Makes ready for the next run. */
    void begin() {
        lastEventIndex = path.size() - 1;
        while (lastEventIndex >= 0 && !path.get(lastEventIndex).isOfEvents()) {
            lastEventIndex--;
        }
        if (races != null) {
            races.begin((int) path.subList(0, Math.max(0, lastEventIndex)).stream()
                    .filter(ExplorationNode::isOfEvents)
                    .count());
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
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
        if (inEvent) {
            disturbAll();
        }
        if (events == mostEvents) {
            cutShort = true;
            throw new RunAbandoned();
        }
        int candidates = freedom.candidates(possible);
        ExplorationNode node = position < path.size() ? pathNode(possible, candidates) : newNode(possible, candidates);
        eventIndex = position++;
        if (races != null) {
            races.add(node);
        }
        events++;
        inEvent = true;
        askedForFault = false;
        hadFault = false;
        return node.taken;
    }

    private ExplorationNode pathNode(List<? extends PossibleEvent> possible, int candidates) {
        ExplorationNode node = path.get(position);
        String expected = node.isOfEvents() ? node.keys[node.taken] : node.point.label();
        if (!node.isOfEvents()
                || node.alternatives != candidates
                || !expected.equals(possible.get(node.taken).key())) {
            throw differs(
                    expected, possible.get(Math.min(node.taken, candidates - 1)).key());
        }
        return node;
    }

    private ExplorationNode newNode(List<? extends PossibleEvent> possible, int candidates) {
        String[] keys = new String[candidates];
        for (int i = 0; i < candidates; i++) {
            keys[i] = possible.get(i).key();
            for (int j = 0; j < i; j++) {
                requireOther(keys[j], keys[i]);
            }
        }
        ChoicePoint point = possible.get(0).point();
        boolean isPinned = candidates > 1 && forced.isPinned();
        ExplorationNode node = ExplorationNode.ofEvents(point, keys, stillPossible(keys), isPinned);
        if (remembers && eventIndex >= 0) {
            remember(path.get(eventIndex), node);
        }
        if (candidates > 1 && forced.remain()) {
            node.taken = forced.next(point, candidates);
            // What it touched in earlier runs is not known any more.
            node.touch(new Footprint().everything());
        } else if (!take(node)) {
            abandoned = true;
            if (races != null) {
                races.endsBefore(List.of(keys));
            }
            throw new RunAbandoned();
        }
        lastEventIndex = path.size();
        path.add(node);
        return node;
    }

    private boolean take(ExplorationNode node) {
        if (races == null) {
            return node.take(0);
        }
        if (eventIndex >= 0) {
            path.get(eventIndex).passTo(node);
        }
        return node.takeWanted() || node.take(0);
    }

    private static void requireOther(String one, String two) {
        if (one.equals(two)) {
            throw new IllegalStateException("key=\"" + one
                    + "\" is that of two events that are possible at the same time; give them keys of their own");
        }
    }

    /** Those asleep that may be next; where no order is fixed, that must be all of them. */
    private List<SleepSetEntry> stillPossible(String[] keys) {
        List<SleepSetEntry> possible = new ArrayList<>(asleep.size());
        List<String> list = Arrays.asList(keys);
        for (SleepSetEntry entry : asleep) {
            if (list.contains(entry.key())) {
                possible.add(entry);
            } else if (!remembers) {
                throw new IllegalStateException("event \"" + entry.key()
                        + "\" is no longer possible after events whose footprints do not conflict with "
                        + entry.footprint() + "; a footprint leaves something out");
            }
        }
        return possible;
    }

    private void remember(ExplorationNode before, ExplorationNode next) {
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
        ExplorationNode node = position < path.size() ? path.get(position) : newAlternatives(point, alternatives);
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

    private ExplorationNode newAlternatives(ChoicePoint point, int alternatives) {
        ExplorationNode node = ExplorationNode.ofAlternatives(point, alternatives, forced.isPinned());
        if (forced.remain()) {
            node.taken = forced.next(point, alternatives);
        } else if (races != null && eventIndex >= 0) {
            path.get(eventIndex).beginWithWanted(node, position - eventIndex - 1);
        }
        path.add(node);
        return node;
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && choose(point, 2) == 1;
    }

    private IllegalStateException differs(String expected, String found) {
        problem = "decision " + position + " of a run that begins like an earlier one was about \"" + expected
                + "\" and is about \"" + found + "\" now; the program must do the same in all runs that begin alike";
        return new IllegalStateException(problem);
    }

    @Override
    public void happened(PossibleEvent event, Footprint footprint) {
        inEvent = false;
        if (reduced && eventIndex == lastEventIndex) {
            Footprint touched = new Footprint().addAll(footprint);
            if (countsFaults && askedForFault) {
                touched.add(new Footprint.Access(FAULTS_LEFT, 0, 1, hadFault));
            }
            ExplorationNode node = path.get(eventIndex);
            node.touch(touched);
            if (races != null) {
                node.seen(chosenInside(), touched);
            }
            asleep = remembers ? node.seenToSleepOn(touched, chosenInside()) : node.undisturbedBy(touched);
        }
    }

    /** Something happened that no footprint tells of. */
    private void disturbAll() {
        asleep = List.of();
        ExplorationNode node = path.get(eventIndex);
        node.touch(new Footprint().everything());
        if (races != null) {
            node.seen(chosenInside(), new Footprint().everything());
        }
    }

    @Override
    public void waits(String key, Footprint looks) {
        if (races != null) {
            races.waits(key, looks);
        }
    }

    /** The run came to its end by itself. */
    void end() {
        if (eventIndex >= 0) {
            path.get(eventIndex).endsRun();
        }
    }

    /** Turns to the next run; false if there is none. */
    boolean advance() {
        if (races != null) {
            races.find(cutShort);
        }
        while (!path.isEmpty()) {
            ExplorationNode last = path.get(path.size() - 1);
            if (!last.isPinned && (races == null ? last.takeNext(reduced) : last.takeNextWanted())) {
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

    /** The problem that a program may have swallowed where it asked for a choice; null if there was none. */
    @Nullable
    String problem() {
        return problem;
    }

    /** The lists that begin with the choices on the path up to {@code length}, one for each alternative of the next choice. */
    List<ChoiceList> branches(int length) {
        List<ChoiceList> branches = new ArrayList<>();
        ChoiceList choices = choices();
        int choice = 0;
        for (ExplorationNode node : path) {
            if (node.isChoice() && choice++ == length) {
                for (int i = 0; i < node.alternatives; i++) {
                    branches.add(choices.prefix(length).then(node.point, node.alternatives, i));
                }
            }
        }
        return branches;
    }

    /** The choices on the path. */
    ChoiceList choices() {
        List<ChoiceList.Deviation> deviations = new ArrayList<>();
        int length = 0;
        for (ExplorationNode node : path) {
            if (node.isChoice()) {
                if (node.taken != 0) {
                    deviations.add(new ChoiceList.Deviation(length, node.point, node.alternatives, node.taken));
                }
                length++;
            }
        }
        return new ChoiceList(length, deviations);
    }

    /** Counts the choices on the path. */
    void countInto(ChoiceTally tally) {
        for (ExplorationNode node : path) {
            if (node.isChoice()) {
                tally.count(node.point, node.taken);
            }
        }
    }

    @Override
    public String toString() {
        return "walk through " + freedom;
    }
}

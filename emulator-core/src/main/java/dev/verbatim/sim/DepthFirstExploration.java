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
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the tree of all runs, depth first: the schedule of one run after the other.
 *
 * <h2>The tree</h2>
 *
 * <p>A node is a decision: which event is next, or which alternative is taken inside of an event. Nothing is saved of a
 * simulation; to come to the next leaf, the program runs again from its beginning, and the path tells it what to decide up to
 * the deepest decision that has an alternative left. So a run costs its whole length, and memory is that of one path. What the events
 * before that decision touched is known from earlier runs, and is not told again ({@link #weighsNow}).
 *
 * <h2>What is left out</h2>
 *
 * <p>Orders that cannot be distinguished, by sleep sets (P. Godefroid, <i>Partial-Order Methods for the Verification of
 * Concurrent Systems</i>, LNCS 1032, 1996). When all that begins with event t at a node s was explored, t falls asleep for the
 * other events of s. It sleeps on through an event w if the two may change places, and wakes up otherwise. An event that sleeps
 * is not taken, and a run in which all that may be next sleeps is abandoned.
 *
 * <p>No outcome is lost. <i>An event t sleeps at s only if every outcome of a run that begins with s·t is found without taking
 * t at s</i>: this holds where t falls asleep, since those runs were just walked through. Let t sleep at s, and w be taken
 * there. If both s·t·w and s·w·t are runs, and lead to the same state, then every run that begins with s·w·t ends like one that
 * begins with s·t·w, which begins with s·t; so t may sleep at s·w. An event that does not sleep is taken. By induction over the
 * order in which the walk leaves nodes, every outcome of every run is found. Nothing more is needed than that one square: not
 * that independence holds everywhere, nor that nothing ever makes an event impossible.
 *
 * <p>What the square needs of a simulation is what {@link Footprint} promises: if t and w are possible, and their footprints do
 * not conflict, then each is still possible after the other, touches the same, asks the same inside, and the state after both is
 * the same in either order. The state includes which events are possible, and their canonical order. The footprint of t is
 * measured where t was taken, above s; since nothing since then conflicted with it, it is the same at s. Choices inside of t are
 * branches: t falls asleep after the last of them, and its footprint is what it touched in all of them. Of w it is the branch
 * taken that counts. Faults left are something that faults change; what is chosen outside of events touches
 * everything. Time passes only where nothing else is possible, so nothing sleeps there. A run has to end because nothing is possible any more: if the last event makes it end while
 * another is possible, the square is broken, which is found out and refused.
 *
 * <h2>Where points are off</h2>
 *
 * <p>An event whose point is off must not be passed over, so that only the first events of the canonical order may be next. Then
 * t can forbid w without touching anything of it: by making possible an event that may not wait and comes before w. That
 * s·w·t is a run is seen when s·w is reached: t is among those that may be next, or it wakes up. Whether s·t·w is a run cannot be
 * computed from footprints, not even from what became possible when t was taken above s, since two events can make a third
 * possible only together. So the walk looks it up. It remembers the part of the tree that it has walked through, and t takes
 * along where in it s·t is; t sleeps on only if w was seen there among those that may be next. What was not seen, or is no longer
 * remembered, wakes t. That is sound whatever was seen, and does no harm in practice: where t·w stands for w·t, the walk has
 * usually come through s·t·w before, for it takes events in the same order everywhere.
 *
 * <p>A walk {@linkplain #inAllOrders in all orders} passes over such events too, so that none of this is needed: {@link AllOrders} finds out
 * which of its runs count.
 *
 * <h2>Which events are taken</h2>
 *
 * <p>Not every event that does not sleep is taken: {@link SourceSets} finds out which are needed.
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

    private final OpenChoices openChoices;
    private final boolean reduced;

    /** Whether it passes over events whose points are off, too. */
    private final boolean passesOverAll;

    private final boolean remembers;
    private final boolean selects;

    private final int mostEvents;
    private final ForcedChoices forced;
    private final boolean countsFaults;

    private final List<ExplorationNode> path = new ArrayList<>();

    /** The events of the present run, and which is the first that may differ from the run before. */
    private final List<ExplorationNode> run = new ArrayList<>();

    private int firstNew;

    /** What was looked at since the last event to find out what is possible, and where a run ended or was given up what was. */
    private Map<String, Footprint> awaited = new TreeMap<>();

    private String[] possibleAtEnd = {};
    private @Nullable SleepSetEntry fixedAtEnd;

    /** The event that comes last; empty if that is not known. */
    private String last = "";

    private int lastEventIndex;

    /** The last event that was on the path before this run. */
    private int lastKnown;

    /** The event before that one. */
    private int beforeLastKnown;

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

    DepthFirstExploration(
            OpenChoices openChoices, boolean reduced, boolean selects, int mostEvents, ForcedChoices forced) {
        this(openChoices, reduced, selects, mostEvents, forced, false);
    }

    /** A walk that passes over events whose points are off, too: what else points decide is as they say. */
    static DepthFirstExploration inAllOrders(OpenChoices openChoices, int mostEvents) {
        ForcedChoices none = new ForcedChoices(ChoiceList.CANONICAL, 0);
        return new DepthFirstExploration(openChoices, true, true, mostEvents, none, true);
    }

    private DepthFirstExploration(
            OpenChoices openChoices,
            boolean reduced,
            boolean selects,
            int mostEvents,
            ForcedChoices forced,
            boolean passesOverAll) {
        this.openChoices = openChoices;
        this.reduced = reduced;
        this.passesOverAll = passesOverAll;
        this.remembers = reduced && fixesSomeOrder();
        this.selects = selects && reduced;
        this.mostEvents = mostEvents;
        this.forced = forced;
        this.countsFaults = openChoices.faults() > 0 && openChoices.faults() < OpenChoices.UNBOUNDED;
    }

    /** Goes on where another walk was, after it {@linkplain #advance() turned} to its next run. */
    void goOn(List<ExplorationNode> from) {
        path.addAll(from);
    }

    /** Where it is between two runs. */
    List<ExplorationNode> path() {
        return path;
    }

    /** Whether it remembers what came after events, where some order is fixed. */
    boolean remembers() {
        return remembers;
    }

    /**
     * A walk through all that begins with the event that is taken next at a node of the path.
     *
     * @param depth the place of the node, which is of events and {@linkplain ExplorationNode#isOpen open}
     */
    DepthFirstExploration ahead(int depth) {
        DepthFirstExploration ahead = new DepthFirstExploration(
                openChoices, reduced, selects, mostEvents, new ForcedChoices(ChoiceList.CANONICAL, 0), passesOverAll);
        for (int i = 0; i <= depth; i++) {
            ahead.path.add(path.get(i).pinnedCopy());
        }
        ahead.path.get(depth).takeNext(reduced);
        return ahead;
    }

    /**
     * Instead of making the runs that another walk made {@link #ahead} of this one from where this one is, goes on where that one is, and turns to the
     * next run.
     *
     * @param way the nodes of that walk that were copies of those of this path
     * @param below the nodes below, where that one turned to its next run; empty if it has none
     * @return false if there is no next run
     */
    boolean takeOver(List<ExplorationNode> way, List<ExplorationNode> below) {
        for (int i = 0; i < way.size(); i++) {
            path.get(i).tellAsTo(way.get(i));
        }
        path.get(way.size() - 1).takeOver(way.get(way.size() - 1));
        path.addAll(below);
        return !below.isEmpty() || turn();
    }

    /** Makes ready for the next run. */
    void begin() {
        lastEventIndex = lastEventBefore(path.size());
        lastKnown = lastEventIndex;
        beforeLastKnown = lastEventBefore(lastKnown);
        firstNew = 0;
        for (int i = 0; i < lastEventIndex; i++) {
            firstNew += path.get(i).isOfEvents() ? 1 : 0;
        }
        run.clear();
        awaited = new TreeMap<>();
        possibleAtEnd = new String[0];
        fixedAtEnd = null;
        last = "";
        position = 0;
        eventIndex = -1;
        events = 0;
        faults = 0;
        inEvent = false;
        asleep = List.of();
        abandoned = false;
        cutShort = false;
    }

    /** The place of the last event on the path before a place; below 0 if there is none. */
    private int lastEventBefore(int end) {
        int place = end - 1;
        while (place >= 0 && !path.get(place).isOfEvents()) {
            place--;
        }
        return place;
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
            possibleAtEnd = possible.stream().map(PossibleEvent::key).toArray(String[]::new);
            throw new RunAbandoned();
        }
        ExplorationNode node = position < path.size() ? pathNode(position, possible) : newNode(possible);
        eventIndex = position++;
        if (passesOverAll && node.points.length == 0) {
            node.points = possible.stream().map(PossibleEvent::point).toArray(ChoicePoint[]::new);
        }
        if (selects) {
            run.add(node);
            if (eventIndex > lastKnown) {
                node.awaited = awaited;
                node.last = last;
            }
            awaited = awaited.isEmpty() ? awaited : new TreeMap<>();
        }
        events++;
        inEvent = true;
        askedForFault = false;
        hadFault = false;
        return node.taken;
    }

    /** The node at that place of the path, where the program has to come to the same events again. */
    private ExplorationNode pathNode(int place, List<? extends PossibleEvent> possible) {
        ExplorationNode node = path.get(place);
        int candidates = candidates(possible);
        String expected = node.isOfEvents() ? node.keys[node.taken] : node.point.label();
        if (!node.isOfEvents()
                || node.alternatives != candidates
                || !expected.equals(possible.get(node.taken).key())) {
            throw differs(
                    place,
                    expected,
                    possible.get(Math.min(node.taken, candidates - 1)).key());
        }
        return node;
    }

    private int candidates(List<? extends PossibleEvent> possible) {
        return passesOverAll ? possible.size() : openChoices.candidates(possible);
    }

    private ExplorationNode newNode(List<? extends PossibleEvent> possible) {
        int candidates = candidates(possible);
        String[] keys = new String[possible.size()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = possible.get(i).key();
            for (int j = 0; j < i; j++) {
                requireOther(keys[j], keys[i]);
            }
        }
        boolean isLastFixed =
                !passesOverAll && !openChoices.isOn(possible.get(candidates - 1).point());
        ChoicePoint point = possible.get(0).point();
        boolean isPinned = candidates > 1 && forced.isPinned();
        ExplorationNode node = ExplorationNode.ofEvents(
                point,
                candidates,
                openChoices.candidates(possible),
                keys,
                isLastFixed,
                stillPossible(keys, candidates),
                isPinned);
        if (remembers && eventIndex >= 0) {
            remember(path.get(eventIndex), node);
        }
        if (candidates > 1 && forced.remain()) {
            node.taken = forced.next(point, candidates);
            // What it touched in earlier runs is not known any more.
            node.touch(new Footprint().everything());
        } else if (selects ? !node.selectFirst(guide()) : !node.take(0)) {
            abandoned = true;
            possibleAtEnd = keys;
            fixedAtEnd = isLastFixed ? node.sleeper(candidates - 1) : null;
            throw new RunAbandoned();
        }
        lastEventIndex = path.size();
        path.add(node);
        return node;
    }

    /** Which events had better be taken now, in order. */
    private List<String> guide() {
        return eventIndex < 0 ? List.of() : path.get(eventIndex).guide;
    }

    private static void requireOther(String one, String two) {
        if (one.equals(two)) {
            throw new IllegalStateException("key=\"" + one
                    + "\" is that of two events that are possible at the same time; give them keys of their own");
        }
    }

    /** Those asleep that may be next; where no order is fixed, that must be all of them. */
    private List<SleepSetEntry> stillPossible(String[] keys, int candidates) {
        List<SleepSetEntry> possible = new ArrayList<>(asleep.size());
        List<String> list = Arrays.asList(keys).subList(0, candidates);
        for (SleepSetEntry entry : asleep) {
            if (list.contains(entry.key())) {
                possible.add(entry);
            } else if (!remembers) {
                throw new IllegalStateException("event \"" + entry.key()
                        + "\" is no longer possible after events whose footprints do not conflict with "
                        + entry.footprint() + "; a footprint leaves something out: " + Exploration.OUR_FAULT);
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
        return openChoices.isOn(point);
    }

    @Override
    public boolean fixesSomeOrder() {
        return !passesOverAll && openChoices.fixesSomeOrder();
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        if (alternatives < 1) {
            throw new IllegalArgumentException(point + " has alternatives=" + alternatives + " < 1");
        }
        if (alternatives == 1 || !openChoices.isOn(point)) {
            return 0;
        }
        if (!inEvent && eventIndex >= 0) {
            disturbAll();
        }
        if (point.kind() == ChoicePoint.Kind.FAULT) {
            askedForFault = true;
            if (faults >= openChoices.faults()) {
                return 0;
            }
        }
        ExplorationNode node = position < path.size() ? path.get(position) : newAlternatives(point, alternatives);
        if (node.isOfEvents() || node.point != point || node.alternatives != alternatives) {
            throw differs(position, node.point.label(), point.label());
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
        }
        path.add(node);
        return node;
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && choose(point, 2) == 1;
    }

    private IllegalStateException differs(int place, String expected, String found) {
        problem = "decision " + place + " of a run that begins like an earlier one was about \"" + expected
                + "\" and is about \"" + found + "\" now; the program must do the same in all runs that begin alike";
        return new IllegalStateException(problem);
    }

    @Override
    public void happened(PossibleEvent event, Footprint footprint) {
        inEvent = false;
        if (reduced && eventIndex == lastEventIndex) {
            Footprint touched = footprint;
            if (countsFaults && askedForFault) {
                touched = new Footprint().addAll(footprint).add(new Footprint.Access(FAULTS_LEFT, 0, 1, hadFault));
            }
            ExplorationNode node = path.get(eventIndex);
            node.touch(touched);
            node.touchedNow = event.key().equals(EnabledEvents.TIME) ? new Footprint().everything() : touched;
            asleep = remembers ? node.seenToSleepOn(touched, chosenInside()) : node.undisturbedBy(touched);
        }
    }

    /** Something happened that no footprint tells of. */
    private void disturbAll() {
        asleep = List.of();
        path.get(eventIndex).touch(new Footprint().everything());
        path.get(eventIndex).touchedNow = new Footprint().everything();
    }

    /** What happens before the last event that was on the path is known from earlier runs, but for what comes between it and the one before. */
    @Override
    public boolean weighsNow() {
        return position > beforeLastKnown;
    }

    @Override
    public void disturbed() {
        if (eventIndex >= 0) {
            disturbAll();
        }
    }

    @Override
    public void awaits(String key, Footprint looks) {
        if (selects) {
            awaited.put(key, looks);
        }
    }

    @Override
    public void comesLast(String key) {
        last = key;
    }

    /** The run came to its end by itself. */
    void end() {
        if (eventIndex >= 0) {
            path.get(eventIndex).endsRun();
        }
    }

    /** Turns to the next run, or stays at this one where the thread is interrupted; false if there is none. */
    boolean advance() {
        return (selects && !new SourceSets(run, possibleAtEnd, fixedAtEnd, awaited, remembers).complete(firstNew))
                || turn();
    }

    private boolean turn() {
        while (!path.isEmpty()) {
            ExplorationNode last = path.get(path.size() - 1);
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

    /** The decisions on the path. */
    ChoiceList choices() {
        return choices(false);
    }

    /** Whether no event was passed over on the path whose point is off. */
    boolean isPermitted() {
        return path.stream().allMatch(node -> node.taken < node.permitted);
    }

    /** The choices on the path, which {@linkplain #isPermitted is permitted}, as the points ask for them. */
    ChoiceList permittedChoices() {
        return choices(true);
    }

    private ChoiceList choices(boolean permitted) {
        List<ChoiceList.Deviation> deviations = new ArrayList<>();
        int length = 0;
        for (ExplorationNode node : path) {
            int alternatives = permitted ? node.permitted : node.alternatives;
            if (alternatives > 1) {
                if (node.taken != 0) {
                    deviations.add(new ChoiceList.Deviation(length, node.point, alternatives, node.taken));
                }
                length++;
            }
        }
        return new ChoiceList(length, deviations);
    }

    /** Where another walk can go on, which takes from there on all that comes later: everything before has been walked through. */
    ChoiceList resumeAt() {
        int length = 0;
        for (ExplorationNode node : path) {
            int leftOut = node.firstLeftOut();
            if (leftOut >= 0) {
                return choices().prefix(length).then(node.point, node.alternatives, leftOut);
            }
            length += node.isChoice() ? 1 : 0;
        }
        return choices();
    }

    /** Counts the choices on the path. */
    void countInto(ChoiceTally tally) {
        for (ExplorationNode node : path) {
            if (node.permitted > 1) {
                tally.count(node.point, node.taken);
            }
        }
    }

    @Override
    public String toString() {
        return "walk through " + openChoices;
    }
}

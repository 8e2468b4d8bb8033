// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoiceTally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Searches an order of the events of a run that passes over no event whose point is off: a run that the points permit, and that ends like
 * the first. Events whose footprints conflict stay in their order, and so do those with one key; all others may change places. Which events
 * are possible, and in which canonical order, is not known without the program; so it runs again, once for each dead end.
 *
 * <p>The search is depth first, in canonical order, and may come to the same place by several ways: where the same events have happened, and
 * the same ones are possible in the same canonical order, what follows is the same. A place from which there was no way is not entered again.
 */
final class OrderSearch implements Schedule {

    /** Where a search was in a run: what has happened, and what is possible, in canonical order. */
    private record Place(BitSet happened, List<String> possible) {}

    /** One decision on the way, and those of the events that may be next there. */
    private static final class Fork {

        final Place place;
        final int[] events;
        int taken;

        Fork(Place place, int[] events) {
            this.place = place;
            this.events = events;
        }
    }

    private final OpenChoices openChoices;
    private final List<ExplorationNode> all;

    /** Before the first event, and inside of each: which alternatives were taken. */
    private final List<List<ExplorationNode>> inside;

    private final RequiredOrder required;
    private final List<Fork> way = new ArrayList<>();
    private final Set<Place> dead = new LinkedHashSet<>();

    private BitSet happened = new BitSet();
    private int depth;
    private int current;
    private int chosenInside;
    private int faults;
    private boolean isDead;
    private boolean isDifferent;
    private int length;
    private List<ChoiceList.Deviation> deviations = new ArrayList<>();
    private ChoiceTally tally = new ChoiceTally();

    /**
     * For the events of a run that came to its end.
     *
     * @param path the decisions of the run
     */
    OrderSearch(OpenChoices openChoices, List<ExplorationNode> path) {
        this.openChoices = openChoices;
        this.all = new ArrayList<>();
        this.inside = new ArrayList<>();
        inside.add(new ArrayList<>());
        for (ExplorationNode node : path) {
            if (node.isOfEvents()) {
                all.add(node);
                inside.add(new ArrayList<>());
            } else {
                inside.get(all.size()).add(node);
            }
        }
        this.required = new RequiredOrder(openChoices, all);
    }

    /** Whether it is known without a run that there is no such order. */
    boolean isImpossible() {
        return required.isImpossible();
    }

    /** Makes ready for the next run. */
    void begin() {
        happened = new BitSet();
        depth = 0;
        current = 0;
        chosenInside = 0;
        faults = 0;
        isDead = false;
        isDifferent = false;
        length = 0;
        deviations = new ArrayList<>();
        tally = new ChoiceTally();
    }

    /** Whether the run, which came to its end, had all events, in an order that the points permit. */
    boolean isPermitted() {
        return !isGivenUp() && !isUnfinished();
    }

    /** Whether the run was given up. */
    boolean isGivenUp() {
        return isDead || isDifferent;
    }

    /** Whether the run did not go like the one whose order is searched. */
    boolean isDifferent() {
        return isDifferent || (!isDead && isUnfinished());
    }

    private boolean isUnfinished() {
        return isLeftInside() || happened.cardinality() < all.size();
    }

    private boolean isLeftInside() {
        return chosenInside < inside.get(current).size();
    }

    /** After a dead end: turns to another way; false if there is none. */
    boolean advance() {
        while (!way.isEmpty()) {
            Fork last = way.get(way.size() - 1);
            if (++last.taken < last.events.length) {
                return true;
            }
            dead.add(last.place);
            way.remove(way.size() - 1);
        }
        return false;
    }

    /** How many events the run had. */
    int events() {
        return happened.cardinality();
    }

    /** The choices of the run. */
    ChoiceList choices() {
        return new ChoiceList(length, deviations);
    }

    /** Counts the choices of the run. */
    void countInto(ChoiceTally all) {
        all.add(tally);
    }

    @Override
    public int next(List<? extends PossibleEvent> possible) {
        if (isGivenUp() || isLeftInside()) {
            throw differs();
        }
        int candidates = openChoices.candidates(possible);
        Fork fork = depth < way.size() ? way.get(depth) : newFork(possible, candidates);
        depth++;
        current = fork.events[fork.taken] + 1;
        chosenInside = 0;
        happened.set(fork.events[fork.taken]);
        String key = key(fork.events[fork.taken]);
        for (int i = 0; i < candidates; i++) {
            if (possible.get(i).key().equals(key)) {
                chose(possible.get(0).point(), candidates, i);
                return i;
            }
        }
        throw differs();
    }

    private DepthFirstExploration.RunAbandoned differs() {
        isDifferent = !isDead;
        return new DepthFirstExploration.RunAbandoned();
    }

    private Fork newFork(List<? extends PossibleEvent> possible, int candidates) {
        String[] keys = new String[possible.size()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = possible.get(i).key();
        }
        Place place = new Place((BitSet) happened.clone(), Arrays.asList(keys));
        int[] next = new int[candidates];
        int count = 0;
        for (int i = 0; i < candidates && !dead.contains(place); i++) {
            int event = nextOf(keys[i]);
            if (event >= 0 && isReady(event)) {
                next[count++] = event;
            }
        }
        if (count == 0) {
            isDead = true;
            throw new DepthFirstExploration.RunAbandoned();
        }
        Fork fork = new Fork(place, Arrays.copyOf(next, count));
        way.add(fork);
        return fork;
    }

    private String key(int event) {
        return all.get(event).keys[all.get(event).taken];
    }

    /** The first event with that key that has not happened; -1 if there is none. */
    private int nextOf(String key) {
        for (int i = happened.nextClearBit(0); i < all.size(); i = happened.nextClearBit(i + 1)) {
            if (key(i).equals(key)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether all have happened that have to come before. */
    private boolean isReady(int event) {
        BitSet missing = (BitSet) required.before(event).clone();
        missing.andNot(happened);
        return missing.isEmpty();
    }

    private void chose(ChoicePoint point, int alternatives, int taken) {
        if (alternatives > 1) {
            tally.count(point, taken);
            if (taken != 0) {
                deviations.add(new ChoiceList.Deviation(length, point, alternatives, taken));
            }
            length++;
        }
    }

    @Override
    public boolean isOpen(ChoicePoint point) {
        return openChoices.isOn(point);
    }

    @Override
    public boolean weighsFootprints() {
        return false;
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        boolean isFault = point.kind() == ChoicePoint.Kind.FAULT;
        if (alternatives == 1 || !openChoices.isOn(point) || (isFault && faults >= openChoices.faults())) {
            return 0;
        }
        if (isGivenUp() || !isLeftInside()) {
            throw differs();
        }
        ExplorationNode node = inside.get(current).get(chosenInside++);
        if (node.point != point || node.alternatives != alternatives) {
            throw differs();
        }
        faults += isFault && node.taken != 0 ? 1 : 0;
        chose(point, alternatives, node.taken);
        return node.taken;
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && choose(point, 2) == 1;
    }

    @Override
    public String toString() {
        return "search for an order of " + all.size() + " events with " + openChoices;
    }
}

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
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A decision on the path that a {@link DepthFirstExploration} is on: which event is next, or which alternative is taken. */
final class ExplorationNode {

    /** The point that is asked. */
    final ChoicePoint point;

    /** How many alternatives there are: of events, those that may be next. */
    final int alternatives;

    /** As many as there are, or fewer where a walk passes over events whose points are off: how many may be next nevertheless. */
    final int permitted;

    /** The events that may be next, by key; empty where an alternative is chosen. */
    final String[] keys;

    /** All events that are possible, first those that may be next; others wait for one of these. */
    final String[] possible;

    /** Whether the last of those that may be next must not be passed over. */
    final boolean isLastFixed;

    /** Whether it stays as it is, since a caller said so. */
    final boolean isPinned;

    int taken;

    /** The points of the events that are possible; empty where they are not needed. */
    ChoicePoint[] points = {};

    /** Of an event: who sleeps here, first those who came asleep, then those that were taken here. */
    private List<SleepSetEntry> asleep;

    /** Of an event: whether a run ended with the one that is taken. */
    private boolean isLast;

    /** Of an event: what the one that is taken touched, in all runs through here. */
    private Footprint touched = new Footprint();

    /** Of an event, where it is remembered: what came after those that were taken here. */
    private List<Branch> branches = List.of();

    /** Of an event: whether something that came after it was not remembered. */
    private boolean isForgetful;

    /** Null where all events are taken that do not sleep. */
    private @Nullable WantedEvents wanted;

    /** Of a copy: what is to be told to what it is a copy of; else null. */
    private @Nullable Told told;

    /** Which events had better be taken after the one that is, in order. */
    List<String> guide = List.of();

    /** Of an event: what the one that is taken touched in this run. */
    Footprint touchedNow = new Footprint();

    /** What follows from the run for the event that is taken. */
    EventRaces follows = EventRaces.UNKNOWN;

    /** Of an event: what was looked at to find out whether another is possible here, by the key of that one. */
    Map<String, Footprint> awaited = Collections.emptyMap();

    /** The event that comes last in the canonical order, whatever happens from here on; empty if that is not known. */
    String last = "";

    /** What a copy is told, in order, as far as it may matter. */
    private static final class Told {

        private final List<Consumer<ExplorationNode>> all = new ArrayList<>();

        /** What it was told to be impossible: to tell it again changes nothing. */
        private final BitSet impossible = new BitSet();

        void demand(Consumer<ExplorationNode> demand) {
            all.add(demand);
        }

        void impossible(int index, Consumer<ExplorationNode> what) {
            if (!impossible.get(index)) {
                impossible.set(index);
                all.add(what);
            }
        }
    }

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
            @Nullable WantedEvents wanted,
            List<String> guide) {}

    private ExplorationNode(
            ChoicePoint point,
            int alternatives,
            int permitted,
            String[] possible,
            boolean isLastFixed,
            List<SleepSetEntry> asleep,
            boolean isPinned) {
        this.point = point;
        this.alternatives = alternatives;
        this.permitted = permitted;
        this.possible = possible;
        this.keys = possible.length <= alternatives ? possible : Arrays.copyOf(possible, alternatives);
        this.isLastFixed = isLastFixed;
        this.asleep = asleep;
        this.isPinned = isPinned;
    }

    /**
     * Which event is next.
     *
     * @param alternatives how many of those that are possible may be next
     * @param permitted how many of these the points permit
     */
    static ExplorationNode ofEvents(
            ChoicePoint point,
            int alternatives,
            int permitted,
            String[] possible,
            boolean isLastFixed,
            List<SleepSetEntry> asleep,
            boolean isPinned) {
        return new ExplorationNode(point, alternatives, permitted, possible, isLastFixed, asleep, isPinned);
    }

    static ExplorationNode ofAlternatives(ChoicePoint point, int alternatives, boolean isPinned) {
        return new ExplorationNode(point, alternatives, alternatives, new String[0], false, List.of(), isPinned);
    }

    /** As it was written; what came after it is not remembered any more. */
    static ExplorationNode restored(
            ChoicePoint point,
            int alternatives,
            int permitted,
            String[] possible,
            boolean isLastFixed,
            boolean isPinned,
            State state) {
        ExplorationNode node =
                new ExplorationNode(point, alternatives, permitted, possible, isLastFixed, state.asleep, isPinned);
        node.taken = state.taken;
        node.isLast = state.isLast;
        node.touched = state.touched;
        node.wanted = state.wanted;
        node.guide = state.guide;
        node.isForgetful = true;
        return node;
    }

    /** The same, which takes no others. */
    ExplorationNode copy() {
        ExplorationNode copy = new ExplorationNode(point, alternatives, permitted, possible, isLastFixed, asleep, true);
        copy.taken = taken;
        copy.points = points;
        copy.isLast = isLast;
        copy.touched.addAll(touched);
        copy.guide = guide;
        copy.touchedNow = touchedNow;
        copy.follows = follows;
        copy.awaited = awaited;
        copy.last = last;
        return copy;
    }

    /** The same for another walk, which stays as it is, and keeps what it is told. */
    ExplorationNode pinnedCopy() {
        ExplorationNode copy = copy();
        copy.wanted = wanted == null ? null : wanted.copy();
        copy.told = new Told();
        return copy;
    }

    /** Is told what the copy was. */
    void tellAsTo(ExplorationNode copy) {
        Objects.requireNonNull(copy.told).all.forEach(what -> what.accept(this));
    }

    /** What begins with the event that is taken was walked through behind the copy. */
    void takeOver(ExplorationNode copy) {
        isLast = copy.isLast;
        touched = copy.touched;
        touchedNow = copy.touchedNow;
        follows = copy.follows;
    }

    /** Whether what comes below a copy, which was made before, is what comes below this. */
    boolean isLike(ExplorationNode other) {
        boolean isLike = taken == other.taken && guide.equals(other.guide) && asleep.size() == other.asleep.size();
        for (int i = 0; i < asleep.size() && isLike; i++) {
            isLike = asleep.get(i).isLike(other.asleep.get(i));
        }
        return isLike;
    }

    State state() {
        return new State(taken, asleep, isLast, touched, wanted, guide);
    }

    boolean isOfEvents() {
        return keys.length > 0;
    }

    /** The event that is taken. */
    String key() {
        return keys[taken];
    }

    /** Whether the choice shows in a list of choices. */
    boolean isChoice() {
        return alternatives > 1;
    }

    /**
     * Takes one that does not sleep, and later only those that are wanted; false if there is none.
     *
     * @param sequence events that are taken before others, in order
     */
    boolean selectFirst(List<String> sequence) {
        wanted = new WantedEvents();
        for (int place = 0; place < sequence.size() && wanted.indices.isEmpty(); place++) {
            int index = indexOf(sequence.get(place));
            if (index >= 0 && !isAsleep(index)) {
                wanted.add(index, sequence, place);
            }
        }
        return takeWanted();
    }

    /** Whether only some of its events are taken. */
    boolean isSelective() {
        return wanted != null;
    }

    /** Takes the first that is wanted and does not sleep, or the first of all where nothing is wanted yet; false if there is none. */
    private boolean takeWanted() {
        WantedEvents all = Objects.requireNonNull(wanted);
        for (int i = 0; i < alternatives; i++) {
            if ((all.indices.isEmpty() || all.indices.get(i)) && !isAsleep(i)) {
                all.add(i);
                taken = i;
                guide = all.guide(i);
                return true;
            }
        }
        return false;
    }

    /**
     * One of the events that do not sleep is to be taken as well.
     *
     * @param itself the one that is in a race with the event that is taken; -1 if that is none of them
     * @param sequence what had better be taken together with it, in order
     */
    void wantOneOf(BitSet events, int itself, Supplier<List<String>> sequence) {
        WantedEvents all = Objects.requireNonNull(wanted);
        BitSet awake = new BitSet();
        for (int index = events.nextSetBit(0); index >= 0; index = events.nextSetBit(index + 1)) {
            awake.set(index, !isAsleep(index));
        }
        WantedEvents.Demand demand = new WantedEvents.Demand(awake, taken, itself);
        if (awake.isEmpty() || !all.add(demand)) {
            return;
        }
        boolean isMet = all.isMet(demand);
        if (isMet && told == null) {
            return;
        }
        List<String> together = sequence.get();
        if (told != null) {
            told.demand(node -> node.wantOneOf(events, itself, () -> together));
        }
        int place = isMet ? -1 : placeOfFirst(awake, itself, together);
        if (place >= 0) {
            all.add(indexOf(together.get(place)), together, place);
        }
    }

    /** Where the first of the events is in the sequence; that of {@code itself}, which more often makes others impossible, if it is the only one. */
    private int placeOfFirst(BitSet events, int itself, List<String> sequence) {
        int found = -1;
        for (int place = 0; place < sequence.size(); place++) {
            int index = indexOf(sequence.get(place));
            if (index >= 0 && events.get(index)) {
                found = place;
                if (index != itself) {
                    return place;
                }
            }
        }
        return found;
    }

    /**
     * The event that is taken makes this one impossible, which is to be taken as well.
     *
     * @return what that touches if it came asleep, so that it is not taken; else null
     */
    @Nullable
    Footprint makesImpossible(int index) {
        WantedEvents all = wanted;
        if (all == null) {
            return null;
        }
        if (told != null) {
            told.impossible(index, node -> node.makesImpossible(index));
        }
        if (!isAsleep(index)) {
            all.add(index);
        }
        makes(all, index);
        return all.indices.get(index) ? null : asleep(index);
    }

    /** The event that is taken keeps some other from becoming possible, or makes it wait: one is to be taken that does not. */
    void keepsImpossible() {
        if (told != null) {
            told.impossible(alternatives, ExplorationNode::keepsImpossible);
        }
        if (wanted != null) {
            makes(wanted, alternatives);
        }
    }

    private void makes(WantedEvents all, int impossible) {
        all.makesImpossible(taken, impossible);
        for (int i = 0; i < alternatives && all.needsOther(alternatives); i++) {
            if (!isAsleep(i)) {
                all.add(i);
            }
        }
    }

    /** Whether this event of a run stays before a later one, in all runs that end alike since events changed places. */
    boolean staysBefore(ExplorationNode later) {
        return keys[taken].equals(later.keys[later.taken]) || touchedNow.conflictsWith(later.touchedNow);
    }

    /** Whether the event that is taken must not be passed over. */
    boolean isFixed() {
        return isLastFixed && taken == alternatives - 1;
    }

    /** Whether the event is possible, although it may have to wait. */
    boolean isPossible(String event) {
        return Arrays.asList(possible).contains(event);
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

    /** Whether another will be taken after the one that is. */
    boolean isOpen() {
        int i = wanted == null ? taken + 1 : wanted.indices.nextSetBit(0);
        while (i >= 0 && i < alternatives && !isPinned) {
            if (i != taken && !isAsleep(i)) {
                return true;
            }
            i = wanted == null ? i + 1 : wanted.indices.nextSetBit(i + 1);
        }
        return false;
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
        return sleeper(index) != null;
    }

    /** What the event touches if it sleeps; else null. */
    @Nullable
    Footprint asleep(int index) {
        SleepSetEntry entry = sleeper(index);
        return entry == null ? null : entry.footprint();
    }

    /** The event if it sleeps; else null. */
    @Nullable
    SleepSetEntry sleeper(int index) {
        for (SleepSetEntry entry : asleep) {
            if (entry.key().equals(keys[index])) {
                return entry;
            }
        }
        return null;
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
        List<Branch> more = new ArrayList<>(branches);
        more.add(new Branch(taken, chosen, next));
        branches = more;
    }

    /** There was no room to remember what comes after the event that is taken. */
    void forget() {
        isForgetful = true;
    }

    /** What came after an event, and after these choices inside of it, or after all that were possible. */
    List<ExplorationNode> branches(int event, int @Nullable [] chosen) {
        List<ExplorationNode> found = new ArrayList<>();
        for (Branch branch : branches) {
            if (branch.taken == event && (chosen == null || Arrays.equals(branch.chosen, chosen))) {
                found.add(branch.next);
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

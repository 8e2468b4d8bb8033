// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a run told a {@link DepthFirstExploration}, from the last event on that was on its path before: enough to tell it to another one whose
 * path is the same, without the program. Written down while the run is made, as a schedule in front of that walk.
 */
final class RecordedRun implements Schedule {

    /** Where the answer would be if the walk had not abandoned the run. */
    private static final int ABANDONED = -1;

    /** Something that a walk was told. */
    private interface Told {

        /** Tells it to another walk; whether that answers the same. */
        boolean isAnsweredAlike(Schedule walk);
    }

    private record Event(String key, ChoicePoint point) implements PossibleEvent {}

    private record Next(List<Event> possible, int answer) implements Told {

        @Override
        public boolean isAnsweredAlike(Schedule walk) {
            return walk.next(possible) == answer;
        }
    }

    private record Choice(ChoicePoint point, int alternatives, int answer) implements Told {

        @Override
        public boolean isAnsweredAlike(Schedule walk) {
            return walk.choose(point, alternatives) == answer;
        }
    }

    private record Happened(Event event, Footprint footprint) implements Told {

        @Override
        public boolean isAnsweredAlike(Schedule walk) {
            walk.happened(event, footprint);
            return true;
        }
    }

    private record Awaited(String key, Footprint looks) implements Told {

        @Override
        public boolean isAnsweredAlike(Schedule walk) {
            walk.awaits(key, looks);
            return true;
        }
    }

    private record CameLast(String key) implements Told {

        @Override
        public boolean isAnsweredAlike(Schedule walk) {
            walk.comesLast(key);
            return true;
        }
    }

    private record Disturbed() implements Told {

        @Override
        public boolean isAnsweredAlike(Schedule walk) {
            walk.disturbed();
            return true;
        }
    }

    private final DepthFirstExploration made;
    private final List<Told> told = new ArrayList<>();
    private @Nullable Supplier<String> outcome;
    private List<EventRaces> found = List.of();

    /** Of a run that {@code walk} is about to make. */
    RecordedRun(DepthFirstExploration walk) {
        this.made = walk;
    }

    /** The program came to its end. */
    void end(Supplier<String> value) {
        outcome = value;
    }

    /** What the walk that was told of the run found to follow from it for each event. */
    void found(List<EventRaces> value) {
        found = value;
    }

    /** How much is written down, which is what it costs to keep it. */
    int length() {
        return told.size() + found.size();
    }

    /**
     * Tells it to a walk that is about to make a run.
     *
     * @return how the program ended; null if this walk answered something differently, and all up to there was told
     */
    @Nullable
    Supplier<String> tell(DepthFirstExploration walk) {
        walk.beginAtLastEvent();
        walk.told(found);
        for (Told one : told) {
            if (!one.isAnsweredAlike(walk)) {
                walk.told(null);
                return null;
            }
        }
        return outcome;
    }

    @Override
    public int next(List<? extends PossibleEvent> events) {
        if (!made.isAtLastEvent()) {
            return made.next(events);
        }
        List<Event> possible = new ArrayList<>(events.size());
        for (PossibleEvent event : events) {
            possible.add(new Event(event.key(), event.point()));
        }
        int answer = ABANDONED;
        try {
            answer = made.next(events);
            return answer;
        } finally {
            told.add(new Next(possible, answer));
        }
    }

    @Override
    public boolean isOpen(ChoicePoint point) {
        return made.isOpen(point);
    }

    @Override
    public boolean fixesSomeOrder() {
        return made.fixesSomeOrder();
    }

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        int answer = made.choose(point, alternatives);
        if (!told.isEmpty() && alternatives > 1 && made.isOpen(point)) {
            told.add(new Choice(point, alternatives, answer));
        }
        return answer;
    }

    @Override
    public boolean chance(ChoicePoint point, int perMille) {
        return perMille > 0 && choose(point, 2) == 1;
    }

    @Override
    public boolean weighsNow() {
        return made.weighsNow();
    }

    @Override
    public void awaits(String key, Footprint looks) {
        made.awaits(key, looks);
        if (!told.isEmpty()) {
            told.add(new Awaited(key, looks));
        }
    }

    @Override
    public void comesLast(String key) {
        made.comesLast(key);
        if (!told.isEmpty()) {
            told.add(new CameLast(key));
        }
    }

    @Override
    public void disturbed() {
        made.disturbed();
        if (!told.isEmpty()) {
            told.add(new Disturbed());
        }
    }

    @Override
    public void happened(PossibleEvent event, Footprint footprint) {
        made.happened(event, footprint);
        if (!told.isEmpty()) {
            told.add(new Happened(new Event(event.key(), event.point()), footprint));
        }
    }

    @Override
    public String toString() {
        return "record of " + made;
    }
}

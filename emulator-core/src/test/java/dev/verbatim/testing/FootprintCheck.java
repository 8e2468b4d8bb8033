// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.EndsRun;
import dev.verbatim.sim.Exploration;
import dev.verbatim.sim.Footprint;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.PossibleEvent;
import dev.verbatim.sim.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks for footprints that leave something out: in a random run two events follow each other that do not touch each other,
 * as they say; then they change places. From there on the same must be possible, the same events must touch the same, and
 * the outcome must be the same. So it must be where events that one forces happen right before it, and each of these has to conflict with that
 * one, as has what made it possible; and nothing happens later that it says to force.
 */
public final class FootprintCheck {

    /** Something else was asked, or possible, than in the run before: that ends the run, wherever it is noticed. */
    private static final class OtherRun extends IllegalStateException implements EndsRun {
        private static final long serialVersionUID = 1L;

        OtherRun(String how) {
            super(how);
        }
    }

    /**
     * What happened, and what was possible before it.
     *
     * @param choices those made inside of it
     * @param behind those made before the next event: a program that waited is let go where nothing else can happen, whatever
     *     happened last
     */
    private record Happened(
            List<String> possible, String key, List<String> choices, List<String> behind, Footprint footprint) {

        /** Of which only the key is known, and that nothing is chosen. */
        static Happened of(String key) {
            return new Happened(List.of(), key, List.of(), List.of(), new Footprint());
        }

        /** The same in the place of another. */
        Happened inPlaceOf(Happened other) {
            return new Happened(possible, key, choices, other.behind, footprint);
        }

        boolean isLike(Happened other, boolean inOrder) {
            return inOrder
                    ? possible.equals(other.possible)
                    : new TreeSet<>(possible).equals(new TreeSet<>(other.possible));
        }

        boolean touchesTheSame(Happened other) {
            return footprint.toString().equals(other.footprint.toString())
                    || touches().equals(other.touches());
        }

        TreeSet<String> touches() {
            String text = footprint.toString();
            return new TreeSet<>(List.of(text.substring(1, text.length() - 1).split("(?<=]), ", -1)));
        }
    }

    private final OpenChoices openChoices;
    private final Exploration.Program program;

    /** Checks the footprints of a program that runs with these choices open. */
    public FootprintCheck(OpenChoices openChoices, Exploration.Program program) {
        this.openChoices = openChoices;
        this.program = program;
    }

    /** What differs when in the run of this seed the event at {@code place} and the next change places; null if nothing does. */
    @Nullable
    public String difference(long seed, int place) {
        return difference(seed, place, Integer.MAX_VALUE);
    }

    /** The same for one place after the other, {@code stride} apart, of one run. */
    @Nullable
    public String difference(long seed, int from, int stride) {
        Run first = new Run(Choices.seeded(seed), List.of(), List.of());
        String outcome = program.run(first);
        String difference = null;
        for (long place = from; difference == null && place < first.happened.size() - 1; place += stride) {
            difference = difference(seed, (int) place, first, outcome);
        }
        return difference;
    }

    private @Nullable String difference(long seed, int place, Run first, String outcome) {
        List<Happened> events = first.happened;
        Happened one = events.get(place);
        Happened two = events.get(place + 1);
        for (String other : one.possible) {
            String wrong = !other.equals(one.key) && !two.possible.contains(other)
                    ? ofForced(place, other, first, outcome)
                    : null;
            if (wrong != null) {
                return tell(seed, place, one, two, wrong);
            }
        }
        for (Happened later : events.subList(place + 1, events.size())) {
            if (one.possible.contains(later.key) && later.footprint.isForcedBy(one.footprint)) {
                return tell(seed, place, one, later, "the second was to be forced by the first");
            }
        }
        boolean apart = one.possible.contains(two.key) && !one.footprint.conflictsWith(two.footprint);
        if (!apart) {
            return null;
        }
        List<Happened> script = new ArrayList<>(events);
        script.set(place, two.inPlaceOf(one));
        script.set(place + 1, one.inPlaceOf(two));
        Run second = new Run(Choices.canonical(), script, first.before);
        String difference = difference(first, outcome, second, place + 2, 0);
        return difference == null ? null : tell(seed, place, one, two, difference);
    }

    /** If the event at the place says that it forced the other: what differs when that happens right before it, or does not conflict. */
    private @Nullable String ofForced(int place, String other, Run first, String outcome) {
        List<Happened> events = first.happened;
        Happened event = events.get(place);
        List<Happened> script = new ArrayList<>(events);
        script.add(place, Happened.of(other));
        Run second = new Run(Choices.canonical(), script, first.before);
        String difference = difference(first, outcome, second, place + 1, 1);
        Happened alone = second.happened.size() > place ? second.happened.get(place) : Happened.of(other);
        if (!alone.footprint.isForcedBy(event.footprint)) {
            return null;
        }
        if (difference == null && !alone.footprint.conflictsWith(second.happened.get(place + 1).footprint)) {
            difference = "they do not conflict";
        }
        int maker = place - 1;
        while (maker >= 0 && events.get(maker).possible.contains(other)) {
            maker--;
        }
        if (difference == null
                && maker >= 0
                && events.get(maker).possible.contains(event.key)
                && !events.get(maker).key.equals(event.key)
                && !events.get(maker).footprint.conflictsWith(event.footprint)) {
            difference = "it does not conflict with " + events.get(maker).key + ", which made that possible";
        }
        return difference == null ? null : other + " is forced: " + difference;
    }

    /** What differs from some event on, which comes so many places later in the second run. */
    private @Nullable String difference(Run first, String outcome, Run second, int from, int later) {
        String otherOutcome;
        try {
            otherOutcome = program.run(second);
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
        List<Happened> events = first.happened;
        for (int i = from; i < events.size(); i++) {
            Happened mine = events.get(i);
            if (i + later >= second.happened.size()) {
                return "before " + i + " possible: " + mine.possible + "\n  or nothing";
            }
            Happened theirs = second.happened.get(i + later);
            if (!mine.isLike(theirs, fixesSomeOrder())) {
                return "before " + i + " possible: " + mine.possible + "\n  or " + theirs.possible;
            }
            if (!mine.touchesTheSame(theirs)) {
                return mine.key + " touches " + mine.touches() + "\n  or " + theirs.touches();
            }
        }
        return outcome.equals(otherOutcome) ? null : outcome + "\n  or " + otherOutcome;
    }

    private boolean fixesSomeOrder() {
        return Stream.of(ChoicePoint.values()).anyMatch(point -> point.isOfTurns() && !openChoices.isOn(point));
    }

    private static String tell(long seed, int place, Happened one, Happened two, @Nullable String difference) {
        return "seed " + seed + " place " + place + ":\n  " + one.key + " " + one.choices + " " + one.touches() + "\n  "
                + two.key + " " + two.choices + " " + two.touches() + "\n  " + difference;
    }

    private final class Run implements Schedule {

        private final Schedule schedule;
        private final List<Happened> script;
        private final List<String> before = new ArrayList<>();
        private final List<Happened> happened = new ArrayList<>();
        private List<String> possible = List.of();
        private String taken = "";
        /** Those made before the first event, then in turn those inside of each and those behind it. */
        private List<String> choices = before;
        /** What they are to be, where a script says so. */
        private List<String> answers;

        Run(Choices choices, List<Happened> script, List<String> before) {
            this.answers = before;
            this.schedule = Schedule.by(choices, openChoices);
            this.script = script;
        }

        @Override
        public boolean isOpen(ChoicePoint point) {
            return openChoices.isOn(point);
        }

        @Override
        public int next(List<? extends PossibleEvent> events) {
            possible = new ArrayList<>();
            events.forEach(event -> possible.add(event.key()));
            choices = new ArrayList<>();
            if (script.isEmpty()) {
                int index = schedule.next(events);
                taken = possible.get(index);
                return index;
            }
            boolean isAtEnd = happened.size() == script.size();
            taken = isAtEnd ? "the end" : script.get(happened.size()).key;
            answers = isAtEnd ? List.of() : script.get(happened.size()).choices;
            int index = possible.indexOf(taken);
            if (index < 0) {
                throw new OtherRun(
                        "event " + happened.size() + " not possible: " + taken + "; possible are " + possible);
            }
            return index;
        }

        @Override
        public int choose(ChoicePoint point, int alternatives) {
            if (alternatives == 1 || !openChoices.isOn(point)) {
                return 0;
            }
            int at = choices.size();
            String question = point + "/" + alternatives + "=";
            int picked;
            if (script.isEmpty()) {
                picked = schedule.choose(point, alternatives);
            } else {
                String answer = at < answers.size() ? answers.get(at) : "";
                if (!answer.startsWith(question)) {
                    throw new OtherRun("event " + happened.size() + " asked " + question + ", was asked " + answer);
                }
                picked = Integer.parseInt(answer.substring(question.length()));
            }
            choices.add(question + picked);
            return picked;
        }

        @Override
        public boolean chance(ChoicePoint point, int perMille) {
            return perMille > 0 && openChoices.isOn(point) && choose(point, 2) == 1;
        }

        @Override
        public void happened(PossibleEvent event, Footprint footprint) {
            List<String> behind = new ArrayList<>();
            int place = happened.size();
            happened.add(new Happened(possible, taken, choices, behind, new Footprint().addAll(footprint)));
            choices = behind;
            answers = place < script.size() ? script.get(place).behind : List.of();
        }
    }
}

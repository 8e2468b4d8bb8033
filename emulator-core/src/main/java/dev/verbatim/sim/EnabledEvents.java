// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.DeferredEffect;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.DoorbellQueue;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.fabric.TimerQueue;
import dev.verbatim.sim.Footprint.Access;
import dev.verbatim.sim.network.EventNames;
import dev.verbatim.sim.network.InFlightPacket;
import dev.verbatim.sim.network.InFlightPackets;
import dev.verbatim.sim.network.LossyLink;
import dev.verbatim.sim.network.LossyPort;
import dev.verbatim.sim.network.SteppedLane;
import dev.verbatim.sim.network.VirtualClock;
import dev.verbatim.sim.network.VirtualTimers;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What can happen next in a simulation, and which of it does, as its {@link Schedule} decides.
 *
 * <p>The canonical order is depth first: what a step led to comes before the next step, so that the canonical run
 * finishes one operation before it begins the next. Effects that were deferred come first, then
 * packets that arrive, then what responders send, then what requesters send, then the programs in the order in
 * which they were added. Doorbells are answered at once, since the moment cannot be observed. Time passes only when nothing else can
 * happen: to the next packet or timer.
 */
final class EnabledEvents {

    /** The key of the event in which time passes. */
    static final String TIME = "time passes";

    private static final String MAIN = "program";

    /** So many programs are named in a message. */
    private static final int MOST_NAMED = 16;

    private final VirtualClock clock;
    private final InFlightPackets inFlight;
    private final Schedule schedule;
    private final DoorbellQueue doorbells = new DoorbellQueue();
    private final VirtualTimers timers = new VirtualTimers(TimerQueue.byAge());

    /** When programs stop waiting. */
    private final TimerQueue patience = TimerQueue.byAge();

    private boolean atRest;
    private final List<EffectEvent> deferred = new ArrayList<>();
    private final List<Actor> actors = new ArrayList<>();
    private final List<String> devices = new ArrayList<>();
    private final EventNames names = new EventNames();
    private final ReadyTurns ready = new ReadyTurns(names, this::giveTurn);
    private final List<SimEvent> possible = new ArrayList<>();
    private final FootprintTap footprints = new FootprintTap();
    private final Consumer<Actor> stepper;

    /** Is told whose turn it is; null for the thread that opened the simulation. */
    private Consumer<@Nullable Actor> turn = actor -> {};

    private final long tickNanos;
    private final long mostEvents;
    private final boolean weighed;
    private final boolean ordered;
    private boolean telling;

    /** Whether a device does something now, and no program: until it forces others it does not look at what programs see. */
    private boolean isOfDevice;

    private long count;
    private long deeds;
    private int lastReleased = -1;

    /** Whether the opening thread has had its way since the last event, where that is of interest. */
    private boolean openerActs;

    /** Whether it has done nothing since the programs came to their end, where that is of interest. */
    private boolean hasRun;

    /** Whether a program was let go since the last event, as nothing was possible. */
    private boolean hasReleased;

    /** The programs, in the order in which they were added. */
    private final List<ProgramTurns> programs = new ArrayList<>();

    private final StepsInARow inARow = new StepsInARow();

    /** Whether not each is named after a device of its own. */
    private boolean mayShareDevices;

    /** Where that is recorded for the actor whose condition is being evaluated; null otherwise. */
    private @Nullable Footprint looking;

    private boolean asksForCompletion;

    /** The program that was told to come last; null if none was. */
    private @Nullable ProgramTurns toldLast;

    /** Effects for which sources waited that have had no turn since. */
    private final List<EffectEvent> awaited = new ArrayList<>();

    /**
     * Nothing yet.
     *
     * @param stepper lets an actor take its step
     * @param options how much time an event takes, and how many there may be
     */
    EnabledEvents(
            VirtualClock clock,
            InFlightPackets inFlight,
            Schedule schedule,
            Consumer<Actor> stepper,
            SimulationOptions options) {
        this.stepper = stepper;
        this.tickNanos = options.tickNanos();
        this.mostEvents = options.mostEvents();
        this.weighed = schedule.weighsFootprints();
        this.ordered = weighed && schedule.fixesSomeOrder();
        this.clock = clock;
        this.inFlight = inFlight;
        this.schedule = schedule;
        if (weighed) {
            inFlight.tellLaunches(this::tellMadeOrHappens);
        }
    }

    /** The place of an event with that key in the canonical order, among kinds of events: effects, arrivals, turns of both kinds, programs. */
    static int kind(String key, ChoicePoint point) {
        return switch (point) {
            case ARRIVAL -> 1;
            case ACKNOWLEDGEMENT, READ_FETCH -> 2;
            case REQUEST -> 3;
            case PROGRAM_STEP -> key.equals(MAIN) ? 0 : 4;
            default -> 0;
        };
    }

    /** How many events have happened. */
    long count() {
        return count;
    }

    /** How many of them were more than a program's looking again whether something has happened. */
    long deeds() {
        return deeds;
    }

    /** Whether an actor is being asked whether it can step. */
    boolean isAsking() {
        return looking != null;
    }

    /** Whether that is one that cannot step before the completion is there that it is asking for. */
    boolean isAskingForCompletion() {
        return asksForCompletion;
    }

    /** Whether the schedule uses the footprints of events. */
    boolean isWeighed() {
        return weighed;
    }

    FootprintTap footprints() {
        return footprints;
    }

    /** Tells whose turn it is from now on. */
    void tellTurns(Consumer<@Nullable Actor> told) {
        turn = told;
    }

    void add(Actor actor) {
        actors.add(actor);
        programs.add(new ProgramTurns(actor, programs.size()));
        mayShareDevices |= !devices.contains(actor.name());
    }

    List<Actor> actors() {
        return actors;
    }

    /** A device of that name belongs to the simulation. */
    void addDevice(List<Gid> gids, String name) {
        gids.forEach(gid -> names.add(gid, name));
        devices.add(name);
        mayShareDevices = actors.stream().anyMatch(actor -> !devices.contains(actor.name()));
    }

    /** Whether it is told what is touched: from the first event on to the end, where the schedule uses it. */
    boolean isTelling() {
        return telling;
    }

    /** Whether it is told now what is touched: by what happens, or by a look at whether an actor can step. */
    boolean tellsTouches() {
        return telling || looking != null;
    }

    /** What happens before the first event belongs to none. */
    private void findWhetherToTell() {
        telling = weighed && schedule.weighsNow();
    }

    /** The simulation is over. */
    void end() {
        telling = false;
    }

    private void tellMadeOrHappens(Object event) {
        if (telling) {
            footprints.madeOrHappens(event.toString());
        }
    }

    /** What devices are called. */
    EventNames names() {
        return names;
    }

    /** What can still happen without a program, in words. */
    List<String> underWay() {
        List<String> all = new ArrayList<>();
        if (inFlight.count() > 0) {
            all.add(inFlight.count() + " packets");
        }
        deferred.forEach(each -> all.add("effect " + names.textOf(each.effect)));
        ready.passOverSilent();
        ready.copy().forEach(turn -> all.add("turn of " + turn.text()));
        long timerNanos = nextTimerNanos(true);
        if (timerNanos != SteppedLane.NEVER) {
            all.add("a timer at t=" + timerNanos + " ns");
        }
        return all;
    }

    /** Whether nothing can happen any more but that programs lose their patience. Where no event is possible now. */
    boolean isAtRest() {
        return inFlight.count() == 0 && timers.nextDeadlineNanos(false) == SteppedLane.NEVER;
    }

    /** Whether that was so when time passed last. */
    boolean wasAtRest() {
        return atRest;
    }

    void ring(Doorbell doorbell) {
        doorbells.ring(doorbell);
    }

    void arm(LaneTimer timer, long deadlineNanos) {
        timers.arm(timer, deadlineNanos);
    }

    void forget(LaneTimer timer) {
        timers.forget(timer);
    }

    /** A program waits until then at most. */
    void armPatience(LaneTimer timer, long deadlineNanos) {
        patience.arm(timer, deadlineNanos);
    }

    void forgetPatience(LaneTimer timer) {
        patience.forget(timer);
    }

    /** @param isLast whether nothing else is left to happen, at any time */
    private long nextTimerNanos(boolean isLast) {
        long patientNanos = patience.nextDeadlineNanos();
        return Math.min(timers.nextDeadlineNanos(isLast && patientNanos == SteppedLane.NEVER), patientNanos);
    }

    void enqueue(PacketSource source) {
        ready.add(source);
        lengthens("turns");
    }

    void defer(DeferredEffect effect) {
        EffectEvent event = new EffectEvent(effect);
        deferred.add(event);
        lengthens("effects");
        tellMadeOrHappens(event);
    }

    /** Who comes first there matters where something must not be passed over. */
    void lengthens(String list) {
        if (ordered && telling) {
            footprints.changes("order of " + list);
        }
    }

    @SuppressWarnings("ReferenceEquality") // an effect is its identity
    void settle(DeferredEffect effect) {
        for (int i = 0; i < deferred.size(); i++) {
            if (deferred.get(i).effect == effect) {
                deferred.remove(i);
                return;
            }
        }
    }

    /** The present event does first what would happen at these places by itself. */
    void forces(String object, long from, long to) {
        if (isOfDevice && telling) {
            footprints.forces(object, from, to);
        }
    }

    private final class EffectEvent extends SimEvent {

        private final DeferredEffect effect;

        EffectEvent(DeferredEffect effect) {
            super(effect.point(), effect, names);
            this.effect = effect;
        }

        @Override
        void happen() {
            haveEffect(this);
        }
    }

    private final class ArrivalEvent extends SimEvent {

        private final InFlightPacket flight;

        ArrivalEvent(InFlightPacket flight) {
            super(ChoicePoint.ARRIVAL, flight, names);
            this.flight = flight;
        }

        @Override
        void happen() {
            land(flight);
        }
    }

    /** The program on the thread of the simulation goes on. */
    private final class MainEvent extends SimEvent {

        MainEvent() {
            super(ChoicePoint.PROGRAM_STEP, MAIN, names);
        }

        @Override
        void happen() {
            // It does so itself.
        }
    }

    private final class TimeEvent extends SimEvent {

        private final long nextNanos;
        private final boolean expires;

        TimeEvent(long nextNanos, boolean expires) {
            super(ChoicePoint.PROGRAM_STEP, TIME, names);
            this.nextNanos = nextNanos;
            this.expires = expires;
        }

        @Override
        void happen() {
            deeds++;
            atRest = isAtRest();
            clock.advanceTo(nextNanos);
            if (expires) {
                boolean unused = patience.expireDue(nextNanos);
                timers.expireDue(nextNanos);
            }
        }
    }

    /** A program called something on the lane; unless that told what it was, and a device did, it may have been anything. */
    void calledByProgram(boolean isTold) {
        if (telling && !(footprints.isExplained() && isTold)) {
            footprints.everything();
        }
    }

    /** A program goes on as soon as anything has happened: so it counts what happens before, and what behind. */
    void programWaitsForAnything() {
        if (telling) {
            footprints.everything();
        }
    }

    /** A program waited for something that its own code found out: from memory, or from what other programs did. */
    void programLookedAround() {
        if (telling) {
            footprints.looksAtProgramMemory();
            programs.forEach(program -> footprints.looksAt(program.key()));
        }
    }

    /** This was touched by the present event, or by an actor whose condition is being evaluated. */
    void touched(Access access) {
        Footprint asked = looking;
        if (asked != null) {
            asked.add(access);
        } else {
            footprints.add(access);
        }
    }

    /** As {@link #touched}, and of two events that tell so of one place, the later one cannot be first. */
    void touchedInTurn(Access access) {
        Footprint asked = looking;
        if (asked != null) {
            asked.addInTurn(access);
        } else {
            footprints.addInTurn(access);
        }
    }

    /** Makes one step; false, and nothing happened, if there is none that is due by {@code untilNanos}. */
    boolean step(long untilNanos) {
        findWhetherToTell();
        doorbells.answerAll();
        List<SimEvent> events = events();
        addPrograms(events);
        return events.isEmpty() ? passTime(untilNanos) : passesTimeDuring(events, untilNanos) || pick(events) != null;
    }

    /**
     * Runs others before the thread that opened the simulation goes on, as long as the schedule decides so. Programs that have not begun do not
     * begin now.
     */
    void letOthersGoFirst() {
        if (actors.isEmpty()) {
            return;
        }
        openerTakes(1);
        if (schedule.isOpen(ChoicePoint.PROGRAM_STEP)) {
            SimEvent main = new MainEvent();
            SimEvent picked;
            findWhetherToTell();
            do {
                doorbells.answerAll();
                List<SimEvent> events = new ArrayList<>(List.of(main));
                events.addAll(events());
                addPrograms(events);
                events.removeIf(event -> event instanceof ProgramTurns program && program.steps == 0);
                picked = events.size() == 1 ? main : pick(events);
            } while (!main.equals(picked));
        }
        openerGoesOn();
    }

    /**
     * The opening thread goes on, and what it does until it gives way again belongs to the event before, which may have touched anything. Where
     * the point of its steps is off, or nothing else is possible, it goes on at once, and is no event of its own.
     */
    void openerGoesOn() {
        if (weighed) {
            openerActs = true;
            schedule.disturbed();
        }
    }

    /** The opening thread does something: behind a run, that comes after all that was possible. */
    void openerActs() {
        if (hasRun) {
            hasRun = false;
            SimEvent end = new TimeEvent(clock.nanoTime(), false);
            int unused = schedule.next(List.of(end));
            findWhetherToTell();
            schedule.happened(end, footprints.take());
            openerGoesOn();
        }
    }

    /** The opening thread gives way, or waits. */
    void openerTakes(int steps) {
        if (inARow.openerTakes(steps)) {
            letProgramsStep();
        }
    }

    /** The opening thread has gone on for long: programs take about as many steps. */
    private void letProgramsStep() {
        long untilNanos =
                tickNanos == 0 ? clock.nanoTime() : Math.max(clock.nanoTime(), patience.nextDeadlineNanos() - 1);
        boolean happens = true;
        for (int i = 0; i < StepsInARow.MOST && happens; i++) {
            happens = step(untilNanos);
        }
    }

    /** Runs until all programs are done and only timers are left, or nothing can happen any more, or {@code isOver}. */
    void runPrograms(BooleanSupplier isOver) {
        openerActs();
        if (weighed) {
            programs.forEach(ProgramTurns::findConditions);
        }
        findWhetherToTell();
        boolean happened = true;
        while (happened && !isOver.getAsBoolean()) {
            doorbells.answerAll();
            List<SimEvent> events = events();
            addPrograms(events);
            if (ordered) {
                tellLast();
            }
            if (!events.isEmpty()) {
                boolean unused = passesTimeDuring(events, SteppedLane.NEVER) || pick(events) != null;
            } else if (actors.stream().allMatch(Actor::isDone)) {
                happened = false;
            } else {
                happened = passTime(SteppedLane.NEVER) || releaseOneThatWaits();
            }
        }
        hasRun = weighed;
    }

    /** Lets one polling program go on; if there is none, ends the wait of one that waits for what cannot happen. */
    private boolean releaseOneThatWaits() {
        return releaseNext(true) || releaseNext(false);
    }

    private boolean releaseNext(boolean polling) {
        for (int i = 1; i <= actors.size(); i++) {
            int index = (lastReleased + i) % actors.size();
            if (actors.get(index) instanceof Program program && !program.isDone() && program.isPolling() == polling) {
                lastReleased = polling ? index : lastReleased;
                program.giveUpWaiting();
                count++;
                hasReleased = true;
                letStep(programs.get(index));
                requireNotTooMany();
                return true;
            }
        }
        return false;
    }

    private void letStep(ProgramTurns program) {
        Actor actor = program.actor;
        inARow.takes(program.place);
        program.steps++;
        boolean wasPolling = actor instanceof Program before && before.isPolling();
        turn.accept(actor);
        stepper.accept(actor);
        turn.accept(null);
        if (!wasPolling || actor.isDone() || !(actor instanceof Program after) || !after.isPolling()) {
            deeds++;
            timers.changed();
        }
    }

    /** The thread that opened the simulation did something, or may have. */
    void openerChanges() {
        timers.changed();
    }

    /** Those of devices; in the same list each time. */
    private List<SimEvent> events() {
        List<SimEvent> events = possible;
        events.clear();
        for (int i = 0; i < deferred.size(); i++) {
            EffectEvent event = deferred.get(i);
            if (event.effect.isNext()) {
                events.add(event);
            }
        }
        List<InFlightPacket> arriving = inFlight.arriving(clock.nanoTime());
        for (int i = 0; i < arriving.size(); i++) {
            events.add(new ArrivalEvent(arriving.get(i)));
        }
        if (!inFlight.isFull()) {
            ready.addTo(events);
        }
        return events;
    }

    /** Gives the sources of a port their turns, as long as there is room and they have something to say. */
    void giveLastTurns(LossyPort port) {
        if (ready.isEmpty()) {
            return;
        }
        Packet last = new Packet();
        boolean found = true;
        while (found && !inFlight.isFull()) {
            found = false;
            for (ReadyTurns.Turn turn : ready.copy()) {
                if (!inFlight.isFull() && turn.source().link() instanceof LossyLink link && link.isOf(port)) {
                    giveTurn(turn, last);
                    found = true;
                }
            }
        }
    }

    private void addPrograms(List<SimEvent> events) {
        int begin = events.size();
        int end = begin;
        for (int i = 0; i < programs.size(); i++) {
            ProgramTurns program = programs.get(i);
            if (program.actor.isDone()) {
                continue;
            }
            boolean canStep = canStep(program);
            if (telling && !program.actor.awaitsOneThing()) {
                schedule.awaits(program.key(), awaitedBy(program));
            }
            if (canStep) {
                events.add(inARow.isFirst(i) ? end++ : events.size(), program);
            }
        }
        for (int i = begin; i < events.size() && events.size() - begin > 1; i++) {
            if (isTooLongInARow(events.get(i))) {
                inARow.putLast(((ProgramTurns) events.get(i)).place);
                Collections.rotate(events.subList(begin, events.size()), begin - i - 1);
                return;
            }
        }
    }

    private boolean isTooLongInARow(SimEvent event) {
        return event instanceof ProgramTurns program
                && program.actor instanceof Program
                && inARow.isTooLong(program.place);
    }

    /**
     * A program that can always take a step does not stop the clocks of devices where events take time: after many in a row time passes as if it
     * waited, unless another program would give up waiting.
     */
    private boolean passesTimeDuring(List<SimEvent> events, long untilNanos) {
        if (tickNanos == 0 || events.size() != 1 || !isTooLongInARow(events.get(0))) {
            return false;
        }
        inARow.clear();
        return passTime(Math.min(untilNanos, Math.max(clock.nanoTime(), patience.nextDeadlineNanos() - 1)));
    }

    /** The last program that is not done comes last for good, as those behind it do nothing any more, and none can add another. */
    private void tellLast() {
        ProgramTurns last = null;
        for (int i = 0; i < programs.size(); i++) {
            ProgramTurns program = programs.get(i);
            if (program.actor.mayAddPrograms()) {
                return;
            }
            last = program.actor.isDone() ? last : program;
        }
        if (last != null && !last.equals(toldLast)) {
            toldLast = last;
            schedule.comesLast(last.key());
        }
    }

    /** All that may decide whether the program can step: what it was seen to look at, and all that programs see. */
    private Footprint awaitedBy(ProgramTurns program) {
        Footprint looks = new Footprint().addAll(program.looks).add(FootprintTap.ofProgramMemory(0, -1));
        programs.forEach(other -> looks.add(new Access(other.key(), 0, 1, false)));
        return looks;
    }

    private boolean canStep(ProgramTurns program) {
        Actor actor = program.actor;
        program.asked.clear();
        looking = program.asked;
        // A program may go on without, as time has passed; one that shares a device takes what another one leaves.
        asksForCompletion = weighed && !(actor instanceof Program) && actor.awaitsOneThing() && !mayShareDevices;
        // What it looks for it may take at once: a completion.
        turn.accept(actor);
        try {
            return actor.canStep();
        } finally {
            turn.accept(null);
            looking = null;
            asksForCompletion = false;
            // It waits for what it sees now; what it took it has.
            program.looks.keepChanges().addAll(program.asked);
        }
    }

    /** Which of several programs of a device takes a completion that comes belongs to the event with which it comes. */
    private void letProgramsTake() {
        for (ProgramTurns program : programs) {
            if (!program.actor.isDone()) {
                canStep(program);
                program.asked.keepChanges();
                if (telling) {
                    footprints.addAll(program.asked);
                }
            }
        }
    }

    /** A program, and the event in which it takes its next step. */
    private final class ProgramTurns extends SimEvent {

        final Actor actor;

        /** Among all, in the order in which they were added. */
        private final int place;

        private long steps;

        private final List<StepCondition> conditions = new ArrayList<>();

        /** What was looked at when it was asked last whether it can step. */
        final Footprint asked = new Footprint();

        /** That, and what was changed by asking since its last step. */
        final Footprint looks = new Footprint();

        ProgramTurns(Actor actor, int place) {
            super(ChoicePoint.PROGRAM_STEP, MAIN + " " + actor.name(), names);
            this.actor = actor;
            this.place = place;
        }

        /** The simulation begins. */
        void findConditions() {
            if (!conditions.isEmpty()) {
                return;
            }
            for (BooleanSupplier condition : actor.conditions()) {
                conditions.add(new StepCondition(condition, key() + " waits for " + conditions.size()));
            }
        }

        /** Whoever made a condition true comes before the step that waits for it. */
        void lookAtConditions() {
            for (int i = 0; i < conditions.size(); i++) {
                StepCondition condition = conditions.get(i);
                if (condition.becomesTrue() && telling) {
                    condition.tellEnabled(footprints);
                }
            }
        }

        private void tellCondition() {
            int awaited = actor.condition();
            if (awaited >= 0 && awaited < conditions.size()) {
                conditions.get(awaited).tellAwaited(footprints);
            }
        }

        @Override
        void happen() {
            step(this);
        }
    }

    private SimEvent pick(List<SimEvent> events) {
        requireNotInterrupted();
        if (openerActs) {
            // What it touched is told.
            footprints.take();
            openerActs = false;
        } else if (telling && !hasReleased && !footprints.isEmpty()) {
            schedule.disturbed();
        }
        hasReleased = false;
        SimEvent event = events.get(schedule.next(events));
        findWhetherToTell();
        count++;
        clock.advanceTo(clock.nanoTime() + tickNanos);
        if (event.point() != ChoicePoint.PROGRAM_STEP) {
            deeds++;
        }
        isOfDevice = event.point() != ChoicePoint.PROGRAM_STEP;
        event.happen();
        doorbells.answerAll();
        isOfDevice = false;
        if (weighed && mayShareDevices) {
            letProgramsTake();
        }
        if (weighed) {
            for (int i = 0; i < programs.size(); i++) {
                programs.get(i).lookAtConditions();
            }
            schedule.happened(event, footprints.take());
        }
        requireNotTooMany();
        return event;
    }

    private void requireNotTooMany() {
        if (count > mostEvents) {
            throw tooLong(
                    "more than mostEvents=" + mostEvents + " events have happened",
                    "; end the loop, let it wait by Node.await, Node.loadUntil or awaitCompletion, or allow more events");
        }
    }

    private void requireNotInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw tooLong("interrupted after events=" + count, "; nothing failed before");
        }
    }

    private RunTooLongException tooLong(String what, String remedy) {
        StringBuilder text = new StringBuilder(what);
        StackTraceElement[] place = new Throwable().getStackTrace();
        long most = 0;
        for (int i = 0; i < programs.size() && i < MOST_NAMED; i++) {
            ProgramTurns program = programs.get(i);
            text.append(i == 0 ? ": " : ", ").append(ProgramsInWords.of(program.actor, program.steps));
            if (program.actor instanceof Program code && program.steps > most) {
                most = program.steps;
                place = code.place();
            }
        }
        return new RunTooLongException(text.append(remedy).toString(), place);
    }

    private void land(InFlightPacket flight) {
        tellMadeOrHappens(flight);
        if (telling && !flight.isLoose()) {
            footprints.happensInTurn(flight.arrivals());
        }
        inFlight.land(flight);
    }

    private void haveEffect(EffectEvent event) {
        DeferredEffect effect = event.effect;
        deferred.remove(event);
        PacketSource source = effect.awaitedBy();
        if (weighed && source != null) {
            awaited.add(event);
        }
        if (telling) {
            tellEffect(event, source);
        }
        effect.happen();
    }

    private void tellEffect(EffectEvent event, @Nullable PacketSource source) {
        footprints.madeOrHappens(event.key());
        String order = event.effect.order();
        if (order != null) {
            footprints.happensInTurn(order);
        }
        if (source != null) {
            // It is possible as long as its source is not changed.
            footprints.looksAt(source.toString());
            looksAtKeys(source);
        }
    }

    /** The turn of a source comes after the effects for which it waited. */
    @SuppressWarnings("ReferenceEquality") // a source is its identity
    private void tellAwaited(PacketSource source) {
        for (int i = awaited.size() - 1; i >= 0; i--) {
            if (awaited.get(i).effect.awaitedBy() == source) {
                tellMadeOrHappens(awaited.remove(i));
            }
        }
    }

    /** Those of the device that the source belongs to. */
    private void looksAtKeys(PacketSource source) {
        String name = source.toString();
        for (String device : devices) {
            if (name.startsWith(device) && name.startsWith("/", device.length())) {
                footprints.looksAt(footprints.names().of(DevicePart.KEYS, device));
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // a link is its identity
    private void giveTurn(ReadyTurns.Turn turn, Packet packet) {
        PacketSource source = turn.source();
        ready.remove(turn);
        if (weighed) {
            tellAwaited(source);
        }
        if (telling) {
            footprints.changes(source.toString());
            // The key is checked also where the check changes nothing.
            looksAtKeys(source);
        }
        try {
            Link over = source.link();
            if (source.pull(packet)) {
                if (source.link() == over) {
                    enqueue(source);
                }
                lengthens("packets");
                if (over instanceof LossyLink link) {
                    link.send(packet);
                }
            }
        } catch (RuntimeException | Error e) {
            source.failed(e);
        }
        // No memory is held, or shown to anybody, after the step that it was for.
        packet.payload().clear();
    }

    private void step(ProgramTurns program) {
        if (!weighed) {
            letStep(program);
            return;
        }
        if (telling) {
            footprints.changes(program.key());
            footprints.addAll(program.looks);
            program.tellCondition();
        }
        program.looks.clear();
        letStep(program);
        if (telling && program.actor instanceof Program code) {
            tellEndOrOrder(code);
        }
        if (!program.actor.isDone() && mayShareDevices) {
            // Of several programs of a device the one takes a completion that waits when it comes.
            canStep(program);
            if (telling) {
                footprints.addAll(program.looks);
            }
        }
    }

    /** A program that fails ends the run, whatever else is possible; any other may be behind others now. */
    private void tellEndOrOrder(Program program) {
        if (program.failure() != null) {
            footprints.everything();
        } else if (!schedule.isOpen(ChoicePoint.PROGRAM_STEP)) {
            lengthens("programs");
        }
    }

    /** Reports no touch: time passes only when no other event is possible, so the order of the two is fixed. */
    private boolean passTime(long untilNanos) {
        long arrivalNanos = inFlight.nextArrivalNanos();
        boolean isLast = arrivalNanos == SteppedLane.NEVER && untilNanos >= SteppedLane.NEVER - 1;
        long timerNanos = nextTimerNanos(isLast);
        long nextNanos = Math.min(arrivalNanos, timerNanos);
        if (nextNanos == SteppedLane.NEVER || nextNanos > untilNanos) {
            return false;
        }
        pick(List.of(new TimeEvent(nextNanos, timerNanos <= nextNanos)));
        return true;
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Clock;
import dev.verbatim.fabric.DeferredEffect;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.sim.Footprint.Access;
import dev.verbatim.sim.network.InFlightPackets;
import dev.verbatim.sim.network.LossyPort;
import dev.verbatim.sim.network.SteppedLane;
import dev.verbatim.sim.network.VirtualClock;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lane of a simulation whose schedule decides what is next. One thread runs at any time: that of a {@link Program} while
 * it takes a step, otherwise the one that opened the simulation, which runs everything else and may call verbs itself.
 */
final class ScheduledLane implements SteppedLane {

    /** So often may a program poll after the last thing has happened: one that counts its polls comes to its end. */
    private static final int FRUITLESS_POLLS = 1_000;

    /** The end of an object that is touched as a whole, unsigned. */
    private static final long WHOLE = -1;

    private final Thread opener = Thread.currentThread();
    private final VirtualClock clock = new VirtualClock();
    private final Schedule schedule;
    private final EnabledEvents enabledEvents;

    /** Depth of nested calls on the lane. */
    private int depth;

    /** Depth of nested calls that consist of several verbs; a turn covers all of them. */
    private int joinedCalls;

    /** Whether others were to have their turn since the outermost began. */
    private boolean turnIsDue;

    /** What {@link #depth} is where a program calls, and not the lane itself. */
    private int programDepth;

    /** Whether the last wait ended when nothing was left to happen but the end of patience. */
    private boolean endedAtRest;

    /** Whether it was told why the present call of a program is refused. */
    private boolean refusalIsTold;

    private int waitsInTime;

    ScheduledLane(InFlightPackets inFlight, Schedule schedule, SimulationOptions options) {
        this.schedule = schedule;
        this.enabledEvents = new EnabledEvents(clock, inFlight, schedule, this::letStep, options);
    }

    EnabledEvents enabledEvents() {
        return enabledEvents;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public long nowNanos() {
        return clock.nanoTime();
    }

    @Override
    public boolean isCurrent() {
        return depth > 0;
    }

    @Override
    public Choices choices() {
        return schedule;
    }

    @Override
    public boolean defers(ChoicePoint point) {
        return schedule.isOpen(point);
    }

    @Override
    public void defer(DeferredEffect effect) {
        enabledEvents.defer(effect);
    }

    @Override
    public void settle(DeferredEffect effect) {
        enabledEvents.settle(effect);
    }

    @Override
    public void enqueue(PacketSource source) {
        enabledEvents.enqueue(source);
    }

    @Override
    public void giveLastTurns(LossyPort port) {
        enabledEvents.giveLastTurns(port);
    }

    @Override
    public void arm(LaneTimer timer, long deadlineNanos) {
        enabledEvents.arm(timer, deadlineNanos);
    }

    @Override
    public void forget(LaneTimer timer) {
        enabledEvents.forget(timer);
    }

    @Override
    public void ring(Doorbell doorbell) {
        requireMember();
        enabledEvents.ring(doorbell);
    }

    @Override
    public void call(Runnable work) {
        callWithin(work);
        giveWay();
    }

    @Override
    public void callWithin(Runnable work) {
        call(work, false);
    }

    @Override
    public void callTold(Runnable work) {
        call(work, true);
    }

    @Override
    public void callTold(String device, DevicePart part, Runnable work) {
        call(
                () -> {
                    if (enabledEvents.isTelling()) {
                        enabledEvents.footprints().changedByProgram(names().of(part, device));
                    }
                    work.run();
                },
                true);
    }

    @Override
    public void tell(Runnable work) {
        requireMember();
        depth++;
        try {
            work.run();
        } finally {
            depth--;
        }
    }

    /** What a program calls touches everything, unless it tells what; what is refused looked at it as well, unless that is told. */
    private void call(Runnable work, boolean tells) {
        requireMember();
        boolean byProgram = depth == programDepth;
        boolean isDone = false;
        refusalIsTold &= !byProgram;
        depth++;
        try {
            work.run();
            isDone = true;
        } finally {
            depth--;
            if (byProgram) {
                enabledEvents.calledByProgram(tells && (isDone || refusalIsTold));
            }
        }
    }

    /** While a program takes its step it is not on the lane, although the lane waits for it; other actors are. */
    private void letStep(Actor actor) {
        int held = depth;
        depth = actor instanceof Program ? 0 : held;
        programDepth = depth;
        try {
            actor.step();
        } finally {
            depth = held;
            programDepth = 0;
        }
    }

    private ObjectNames names() {
        return enabledEvents.footprints().names();
    }

    @Override
    public void touched(String device, DevicePart part) {
        if (enabledEvents.tellsTouches()) {
            enabledEvents.touched(new Access(names().of(part, device), 0, WHOLE, true));
        }
    }

    @Override
    public void touched(String device, DevicePart part, long from, long to, boolean changes) {
        if (enabledEvents.tellsTouches()) {
            enabledEvents.touched(new Access(names().of(part, device), from, to, changes));
        }
    }

    @Override
    public void enables(String device, DevicePart part, long from, long to) {
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().enables(names().of(part, device), from, to);
        }
    }

    @Override
    public void waited(String device, DevicePart part, long from, long to) {
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().waited(names().of(part, device), from, to);
        }
    }

    @Override
    public void happensUnforced(String device, DevicePart part, long from, long to) {
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().happensUnforced(names().of(part, device), from, to);
        }
    }

    @Override
    public void forces(String device, DevicePart part, long from, long to) {
        enabledEvents.forces(names().of(part, device), from, to);
    }

    /** A program that waits for a completion cannot step before it is added; one that polls can, and finds nothing. */
    @Override
    public void completionTouched(String device, long place, boolean added) {
        if (enabledEvents.tellsTouches()) {
            Access access = new Access(names().of(DevicePart.COMPLETIONS, device), place, place + 1, true);
            if (added || enabledEvents.isAskingForCompletion()) {
                enabledEvents.touchedInTurn(access);
            } else {
                enabledEvents.touched(access);
            }
        }
    }

    @Override
    public void onlySent(String device, int qp) {
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().changesOnly(device, qp, FootprintTap.SENT);
        }
    }

    @Override
    public void onlyAcknowledged(String device, int qp) {
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().changesOnly(device, qp, FootprintTap.ACKNOWLEDGED);
        }
    }

    @Override
    public void requestPosted(String device, int qp, long number) {
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().posted(device, qp, number);
        }
    }

    @Override
    public void requestTakenUp(String device, int qp, long number) {
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().takesUp(device, qp, number);
        }
    }

    @Override
    public void postRefused(String device, int qp) {
        refusalIsTold = true;
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().postRefused(device, qp);
        }
    }

    @Override
    public void postFoundNoRoom(String device, int qp) {
        postRefused(device, qp);
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().looksAt(names().of(device, qp).posts);
        }
    }

    @Override
    public boolean weighsFootprints() {
        return enabledEvents.isWeighed();
    }

    @Override
    public void stateLookedAt(String device, int qp) {
        // What happens on the lane depends on the state through what a packet or a request tells of.
        if (enabledEvents.tellsTouches() && (enabledEvents.isAsking() || depth == programDepth)) {
            enabledEvents.touched(new Access(names().of(device, qp).state, 0, 1, false));
        }
    }

    @Override
    public void stateDecides(String device, int qp) {
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().looksAt(names().of(device, qp).state);
        }
    }

    @Override
    public void timerMade() {
        enabledEvents.lengthens("timers");
    }

    @Override
    public void anythingTouched() {
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().everything();
        }
    }

    @Override
    public void heldLookedAt(String device, int qp, boolean returned, long pieces) {
        if (enabledEvents.tellsTouches() && pieces > 0) {
            enabledEvents.touched(new Access(names().of(device, qp).held(returned), 0, pieces, false));
        }
    }

    @Override
    public void heldShown(String device, int qp, boolean returned, int piece) {
        if (enabledEvents.tellsTouches()) {
            enabledEvents.touched(new Access(names().of(device, qp).held(returned), piece, piece + 1L, true));
        }
    }

    @Override
    public void memoryLookedAt(long address, long lengthBytes) {
        if (enabledEvents.isTelling()) {
            enabledEvents.footprints().looksAtMemory(address, lengthBytes);
        }
    }

    @Override
    public void beginCall() {
        requireMember();
        joinedCalls++;
    }

    @Override
    public boolean endCall() {
        joinedCalls--;
        boolean isDue = joinedCalls == 0 && turnIsDue;
        turnIsDue &= !isDue;
        return isDue;
    }

    /** Whether no other program has a turn now. */
    private boolean keepsTurn() {
        turnIsDue |= !isCurrent() && joinedCalls > 0;
        return isCurrent() || joinedCalls > 0;
    }

    @Override
    public void giveWay() {
        if (keepsTurn()) {
            return;
        }
        requireMember();
        Program program = Program.current();
        if (program != null) {
            program.pause();
        } else {
            depth++;
            try {
                enabledEvents.letOthersGoFirst();
            } finally {
                depth--;
            }
        }
    }

    @Override
    public void progress() {
        if (keepsTurn()) {
            return;
        }
        requireMember();
        Program program = Program.current();
        if (program == null) {
            enabledEvents.openerTakes(StepsInARow.MOST);
            enabledEvents.openerChanges();
            stepOrReach(NEVER);
            enabledEvents.openerGoesOn();
        } else {
            enabledEvents.programWaitsForAnything();
            long before = enabledEvents.deeds();
            program.poll(() -> enabledEvents.deeds() > before);
            if (program.fruitless() > FRUITLESS_POLLS) {
                throw endless("program " + program.name() + " has polled " + FRUITLESS_POLLS + " times since the last"
                        + " thing happened");
            }
        }
    }

    @Override
    public boolean step() {
        return stepOrReach(NEVER);
    }

    @Override
    public void pass(long nanos) {
        requireNotCurrent();
        awaitReady(new Awaited(() -> false, true), Math.max(1, nanos));
    }

    @Override
    public boolean await(WaitPoint place, long patienceNanos) {
        return awaitSoon(place, place::isReady, patienceNanos);
    }

    /** An interrupt ends it at the next step that the program could take. */
    @Override
    public boolean awaitSoon(WaitPoint place, BooleanSupplier done, long patienceNanos) {
        Program program = Program.current();
        BooleanSupplier interrupted = program == null ? Thread.currentThread()::isInterrupted : program::isInterrupted;
        Awaited either = new Awaited(() -> done.getAsBoolean() || refuseIf(interrupted), true);
        return awaitReady(either, patienceNanos);
    }

    /** Others look for a program that waits. */
    private static boolean refuseIf(BooleanSupplier interrupted) {
        if (interrupted.getAsBoolean()) {
            throw WaitPoint.interrupted();
        }
        return false;
    }

    @Override
    public boolean spin(BooleanSupplier done, long patienceNanos) {
        return awaitReady(new Awaited(done, true), patienceNanos);
    }

    /**
     * The program goes on in a state in which the condition holds: that it held once, and was overtaken by something else, is
     * not enough, since then the order would count of things that have nothing to do with each other.
     *
     * @param isOneThing whether the condition is about one thing
     */
    void awaitState(BooleanSupplier condition, boolean isOneThing) {
        Program program = Program.current();
        if (program != null) {
            program.awaitsOneThing(isOneThing);
        }
        try {
            awaitReady(new Awaited(condition, false), NEVER);
        } finally {
            if (program != null) {
                program.awaitsOneThing(true);
            }
        }
        enabledEvents.programLookedAround();
    }

    private boolean awaitReady(Awaited done, long patienceNanos) {
        requireMember();
        endedAtRest = false;
        if (patienceNanos <= 0) {
            if (!done.held()) {
                progress();
            }
            return done.held();
        }
        requireNotCurrent();
        long nowNanos = clock.nanoTime();
        long untilNanos = patienceNanos > NEVER - nowNanos ? NEVER : nowNanos + patienceNanos;
        Program program = Program.current();
        boolean isPossible = program == null ? openerUntil(done, untilNanos) : pauseUntil(program, done, untilNanos);
        if (!isPossible && untilNanos == NEVER && !done.held()) {
            throw endless(
                    program == null ? "this wait can never end" : "program " + program.name() + " waits for ever");
        }
        boolean isDone = done.held();
        waitsInTime += isDone && untilNanos != NEVER ? 1 : 0;
        return isDone;
    }

    /** How many waits ended before their time was over. */
    int waitsInTime() {
        return waitsInTime;
    }

    private VerbsException endless(String what) {
        return VerbsException.of(
                Errno.EDEADLK,
                Rule.N_08,
                "%s: no packet is under way, no timer is armed and no other program can go on at t=%d ns; post what it"
                        + " waits for first, or wait with patience",
                what,
                clock.nanoTime());
    }

    private boolean openerUntil(Awaited done, long untilNanos) {
        enabledEvents.openerTakes(StepsInARow.MOST);
        try {
            return stepUntil(done, untilNanos);
        } finally {
            enabledEvents.openerGoesOn();
        }
    }

    private boolean stepUntil(Awaited done, long untilNanos) {
        enabledEvents.openerChanges();
        while (!done.held()) {
            if (!stepOrReach(untilNanos)) {
                return false;
            }
        }
        return true;
    }

    private boolean pauseUntil(Program program, Awaited done, long untilNanos) {
        PatienceTimer patience = new PatienceTimer();
        if (untilNanos != NEVER) {
            enabledEvents.armPatience(patience, untilNanos);
        }
        try {
            boolean isPossible = program.pauseUntil(() -> done.getAsBoolean() || clock.nanoTime() >= untilNanos);
            endedAtRest = patience.endedAtRest;
            return isPossible;
        } finally {
            enabledEvents.forgetPatience(patience);
        }
    }

    /** Ends a wait: that time has passed is all there is to it. */
    final class PatienceTimer extends LaneTimer {

        /** Whether nothing was left to happen but the end of patience, of this program and perhaps of others. */
        private boolean endedAtRest;

        @Override
        protected void expire(long nowNanos) {
            endedAtRest = enabledEvents.wasAtRest();
        }
    }

    @Override
    public VerbsException timedOut(Rule rule, String what, Duration patience) {
        Program program = Program.current();
        return endedAtRest
                ? VerbsException.of(
                        Errno.ETIMEDOUT,
                        Rule.N_08,
                        "no %s within %s, and none can come: %s, no packet is under way, no timer is armed and no other"
                                + " program can go on at t=%d ns; post what it waits for first",
                        what,
                        patience,
                        program == null ? "this wait is in vain" : "program " + program.name() + " waits in vain",
                        clock.nanoTime())
                : SteppedLane.super.timedOut(rule, what, patience);
    }

    /** One step that leads no further than {@code untilNanos}; where there is none, it is then, and the result is false. */
    private boolean stepOrReach(long untilNanos) {
        requireNotCurrent();
        requireMember();
        depth++;
        try {
            if (clock.nanoTime() <= untilNanos && enabledEvents.step(untilNanos)) {
                return true;
            }
        } finally {
            depth--;
        }
        if (untilNanos != NEVER) {
            endedAtRest = enabledEvents.isAtRest();
            clock.advanceTo(untilNanos);
        }
        return false;
    }

    /** Runs what may run until programs are done, or nothing can happen. */
    void runPrograms(BooleanSupplier isOver) {
        requireNotCurrent();
        depth++;
        try {
            enabledEvents.openerChanges();
            enabledEvents.runPrograms(isOver);
        } finally {
            depth--;
        }
    }

    /** The simulation is over: what devices do when they are closed, they do at once. */
    void end() {
        enabledEvents.end();
        depth++;
    }

    private void requireNotCurrent() {
        if (isCurrent() || joinedCalls > 0) {
            throw VerbsException.of(
                    Errno.EDEADLK,
                    Rule.N_10,
                    "this thread runs the lane, and a wait would block it for ever; wait from a thread that runs no tap"
                            + " or event handler");
        }
    }

    private void requireMember() {
        Program program = Program.current();
        boolean isMember = program == null ? Thread.currentThread().equals(opener) : program.isOn(this);
        if (isMember && program == null && depth == 0) {
            enabledEvents.openerActs();
        }
        if (!isMember) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_08,
                    "thread %s is no program of this simulation, so no run could be repeated; give its work to node()",
                    Thread.currentThread().getName());
        }
    }

    /**
     * A condition that is not evaluated again once it was true, since its evaluation may take what was waited for. An exception of it is
     * thrown to the waiting program, not to the caller that evaluates it.
     */
    private static final class Awaited implements BooleanSupplier {

        private final boolean once;
        private @Nullable BooleanSupplier condition;
        private @Nullable RuntimeException thrown;

        Awaited(BooleanSupplier condition, boolean once) {
            this.condition = condition;
            this.once = once;
        }

        @Override
        public boolean getAsBoolean() {
            BooleanSupplier open = condition;
            try {
                if (open != null && open.getAsBoolean()) {
                    condition = once ? null : open;
                    return true;
                }
            } catch (RuntimeException e) {
                thrown = e;
                condition = null;
            }
            return condition == null;
        }

        /** Whether it was true; called by the waiting program. */
        boolean held() {
            boolean isOver = getAsBoolean();
            if (thrown != null) {
                throw thrown;
            }
            return isOver;
        }
    }

    @Override
    public String toString() {
        return "lane of a simulation by " + schedule;
    }
}

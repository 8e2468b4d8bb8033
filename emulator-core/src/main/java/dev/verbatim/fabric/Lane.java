// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs everything that shares a carrier in this JVM one after the other. Work on a lane never runs concurrently and never waits.
 * Devices have no threads; they are called on their lane.
 */
public interface Lane {

    /** A spinning thread lets others run, and looks at the clock, this often. */
    int TURNS_BETWEEN_YIELDS = 64;

    /** A thread that waits for what is likely to come soon parks when it has looked for so long: several round trips over TCP. */
    long LONGEST_SPIN_NANOS = 200_000;

    /** Time of the current step, in nanoseconds. On the lane. */
    long nowNanos();

    /** Whether its time is simulated, and advances only when programs wait or poll. */
    default boolean isSimulated() {
        return false;
    }

    /** Whether the calling thread runs work of this lane. */
    boolean isCurrent();

    /** Has the doorbell answered on the lane, soon and once. From any thread. */
    void ring(Doorbell doorbell);

    /** A program called a verb that does not wait; where programs take turns, others may have theirs. From any thread. */
    default void giveWay() {}

    /**
     * A program, or what happens on the lane, looked at a part of a device or changed it, which nothing else tells of. Where runs
     * are explored, it belongs to the step that is under way: two that touch the same are had in both orders.
     */
    default void touched(String device, DevicePart part) {}

    /** The same of the places {@code from} to {@code to} of the part; it was only looked at unless {@code changes}. */
    default void touched(String device, DevicePart part, long from, long to, boolean changes) {}

    /**
     * What {@linkplain #waited waited} for a place of a part between {@code from} and {@code to}, or enables others there too, cannot come
     * before this. Nothing is touched by that.
     */
    default void enables(String device, DevicePart part, long from, long to) {}

    /** It happens now, and could not come before what {@linkplain #enables enabled} one of these places. */
    default void waited(String device, DevicePart part, long from, long to) {}

    /** A deferred effect happens now by itself. Otherwise a step that {@linkplain #forces forces} one of these places would have made it happen. */
    default void happensUnforced(String device, DevicePart part, long from, long to) {}

    /**
     * The present step makes all deferred effects happen, and {@linkplain #settle settles} them, that would tell {@link #happensUnforced} of one of
     * these places, as if they had happened right before it. It has to conflict with these effects, and with what makes them possible.
     */
    default void forces(String device, DevicePart part, long from, long to) {}

    /** As {@link #touched}, of the place of one completion: it was added, or taken. */
    default void completionTouched(String device, long place, boolean added) {}

    /** Whether anybody uses what {@link #touched} tells. */
    default boolean weighsFootprints() {
        return false;
    }

    /** Of the requester of a queue pair nothing was changed but what it sends next, unless its state was. */
    default void onlySent(String device, int qp) {}

    /** Of the requester of a queue pair nothing was changed but what is acknowledged, unless its state was. */
    default void onlyAcknowledged(String device, int qp) {}

    /** A program posted a send request to a queue pair, the {@code number}-th, from 0, since its last reset. */
    default void requestPosted(String device, int qp, long number) {}

    /** A queue pair took up the send request that was posted to it as the {@code number}-th, from 0, since its last reset. */
    default void requestTakenUp(String device, int qp, long number) {}

    /** A program looked at the state of a queue pair, as by {@link #touched}. */
    default void stateLookedAt(String device, int qp) {}

    /** The present step looked at the state of a queue pair, and may do something else in another. */
    default void stateDecides(String device, int qp) {}

    /** A timer was made: of those that expire at one time the oldest is the first. */
    default void timerMade() {}

    /** Code of a program was run by the present step. It may have touched anything. */
    default void anythingTouched() {}

    /**
     * A program's request was refused when it was posted to a queue pair, and nothing was looked at but the request and the state of the
     * queue pair.
     */
    default void postRefused(String device, int qp) {}

    /** The same since the send queue had no room, which depends on what was posted, too, and on the slot that it would have taken. */
    default void postFoundNoRoom(String device, int qp) {}

    /** It was looked whether bytes of a range of memory are held back, as by {@link #touched}, though none was read. */
    default void memoryLookedAt(long address, long lengthBytes) {}

    /**
     * It was looked whether bytes are held back that a queue pair placed, or that its requests {@code returned}, as by {@link #touched}:
     * any of so many pieces.
     */
    default void heldLookedAt(String device, int qp, boolean returned, long pieces) {}

    /** The piece of these bytes with that number is held back no longer. */
    default void heldShown(String device, int qp, boolean returned, int piece) {}

    /** As {@link #call}, but as a part of a verb; nothing else runs on the lane in between. */
    default void callWithin(Runnable work) {
        call(work);
    }

    /**
     * As {@link #callWithin}, by a verb all of whose looks and changes are told. Where runs are explored, a program that calls
     * anything else on the lane may have touched everything.
     */
    default void callTold(Runnable work) {
        callWithin(work);
    }

    /** As {@link #callTold}, by a verb that changes that part of the device, and tells what else it looks at and changes. */
    default void callTold(String device, DevicePart part, Runnable work) {
        callTold(work);
    }

    /**
     * As {@link #callWithin}, by a program that only reports to a tap what it did: the work touches nothing. Where runs are explored
     * it counts for nothing.
     */
    default void tell(Runnable work) {
        callWithin(work);
    }

    /**
     * A program begins a call that is made of several verbs, which may hold monitors. Where programs take turns, no other has a turn
     * until {@link #endCall}, and nothing makes progress. Such calls may contain each other; none waits.
     */
    default void beginCall() {}

    /**
     * Ends it.
     *
     * @return whether others were to have their turn meanwhile: without monitors, the caller then {@linkplain #giveWay gives way} or
     *     {@linkplain #progress makes progress}
     */
    default boolean endCall() {
        return false;
    }

    /** Makes progress on the calling thread if no other thread does; never waits. From any thread. */
    void progress();

    /**
     * Runs {@code work} on the lane and returns when it is done; at once if the caller is on the lane already. What it
     * throws, the caller sees.
     */
    void call(Runnable work);

    /**
     * Sets or moves the timer; it expires on the lane, never before {@code deadlineNanos}. On the lane only. See
     * {@link LaneTimer#disarm()} and {@link #forget}.
     */
    void arm(LaneTimer timer, long deadlineNanos);

    /** Disarms the timer and drops every reference to it. On the lane only. */
    void forget(LaneTimer timer);

    /**
     * Waits until {@code place} is ready.
     *
     * @param patienceNanos how long at most; {@link Long#MAX_VALUE} for ever
     * @return whether it became ready
     * @throws dev.verbatim.verbs.VerbsException EINTR if the thread was interrupted (it stays so), EDEADLK if the thread
     *     is on the lane, or if time is simulated and nothing is left that could make the place ready
     */
    boolean await(WaitPoint place, long patienceNanos);

    /**
     * Makes progress until {@code done}, without parking.
     *
     * @param done looks only: whatever it moves on itself is not bounded by patience
     * @param patienceNanos how long at most; {@link Long#MAX_VALUE} for ever
     * @return whether it was done in time
     * @throws dev.verbatim.verbs.VerbsException EDEADLK where time is simulated, as {@link #await} does
     */
    @SuppressWarnings("ThreadPriorityCheck") // yielding makes nothing right; it makes a busy machine fair
    default boolean spin(BooleanSupplier done, long patienceNanos) {
        long startNanos = clock().nanoTime();
        for (int turn = 1; !done.getAsBoolean(); turn++) {
            progress();
            if (turn % TURNS_BETWEEN_YIELDS == 0) {
                if (clock().nanoTime() - startNanos > patienceNanos) {
                    return done.getAsBoolean();
                }
                Thread.yield();
            }
            Thread.onSpinWait();
        }
        return true;
    }

    /** Whether the calling thread must drive this lane while it waits, since no other thread does. */
    default boolean spinsByChoice() {
        return false;
    }

    /**
     * Waits for what is likely to come soon: makes progress until {@code done}, and parks if that has taken {@link #LONGEST_SPIN_NANOS},
     * unless this lane {@linkplain #spinsByChoice spins}.
     *
     * @param place ready whenever it is worth looking again
     * @param done looks only; what it throws ends the wait
     * @param patienceNanos how long at most; {@link Long#MAX_VALUE} for ever
     * @return whether it was done in time
     * @throws dev.verbatim.verbs.VerbsException as {@link #await} does
     */
    default boolean awaitSoon(WaitPoint place, BooleanSupplier done, long patienceNanos) {
        long startNanos = clock().nanoTime();
        long spinNanos = spinsByChoice() ? patienceNanos : Math.min(patienceNanos, LONGEST_SPIN_NANOS);
        boolean isDone = spin(() -> done.getAsBoolean() || WaitPoint.refuseIfInterrupted(), spinNanos);
        long leftNanos = left(patienceNanos, startNanos);
        while (!isDone && leftNanos > 0) {
            boolean ready = await(place, leftNanos);
            isDone = done.getAsBoolean();
            leftNanos = ready ? left(patienceNanos, startNanos) : 0;
        }
        return isDone;
    }

    /**
     * Waits for what the first thread takes that comes for it. One that comes too late goes on waiting, for what is left of its patience.
     *
     * @param place ready whenever something can be taken
     * @param take gives null if another thread was quicker; what it throws ends the wait
     * @param patienceNanos how long at most; {@link Long#MAX_VALUE} for ever
     * @return what was taken, or null if the time was over
     * @throws dev.verbatim.verbs.VerbsException as {@link #await} does
     */
    default <T> @Nullable T awaitTaken(WaitPoint place, Supplier<? extends @Nullable T> take, long patienceNanos) {
        long startNanos = clock().nanoTime();
        long leftNanos = patienceNanos;
        while (await(place, leftNanos)) {
            T taken = take.get();
            leftNanos = left(patienceNanos, startNanos);
            if (taken != null || leftNanos < 0) {
                return taken;
            }
        }
        return null;
    }

    /**
     * What the caller's last wait throws, which ended by its patience.
     *
     * @param what nothing of which came, as "completion"
     */
    default VerbsException timedOut(Rule rule, String what, Duration patience) {
        return VerbsException.of(
                Errno.ETIMEDOUT, rule, "no %s within %s; wait longer, or poll if there may be none", what, patience);
    }

    private long left(long patienceNanos, long startNanos) {
        return patienceNanos == Long.MAX_VALUE ? patienceNanos : patienceNanos - (clock().nanoTime() - startNanos);
    }

    /** Decides where more than one behaviour is legal. On the lane. */
    default Choices choices() {
        return ReplayedChoices.OF_NONE;
    }

    /** Whether effects of this point may be deferred; if not, they take place at once and are not given to {@link #defer}. */
    default boolean defers(ChoicePoint point) {
        return false;
    }

    /** Defers the effect. On the lane, and only if the lane {@link #defers} effects of its point. */
    default void defer(DeferredEffect effect) {
        throw new UnsupportedOperationException(this + " defers nothing; ask defers() first");
    }

    /** The effect was had, or is never to be; the lane forgets it. On the lane. */
    default void settle(DeferredEffect effect) {}

    /** Clock for callers that are not on the lane. */
    Clock clock();
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.DoorbellQueue;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.fabric.TimerQueue;
import dev.verbatim.wire.Packet;
import java.util.ArrayDeque;

/**
 * What there is to do in a simulation, and in which order.
 *
 * <p>One step is the first of these that there is: answer the doorbells; let the packet arrive whose time has come; give
 * one source its turn; jump to the time of the next packet or timer, and let that packet arrive or those timers expire.
 * So time moves only when nothing is left to do at the present one. Sources get no turn while the fabric is full: as on
 * a real wire, they are asked again when there is room.
 *
 * <p>Any thread may ring; everything else is called on the lane.
 */
final class VirtualScheduler {

    private final VirtualClock clock;
    private final InFlightPackets inFlight;
    private final DoorbellQueue doorbells = new DoorbellQueue();
    private final VirtualTimers timers = new VirtualTimers(new TimerQueue());
    private final ArrayDeque<PacketSource> ready = new ArrayDeque<>();
    private final Packet outgoing = new Packet();

    VirtualScheduler(VirtualClock clock, InFlightPackets inFlight) {
        this.clock = clock;
        this.inFlight = inFlight;
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

    /** A program did something. */
    void changed() {
        timers.changed();
    }

    /** Gives the source its turns. */
    void enqueue(PacketSource source) {
        ready.addLast(source);
    }

    /** Gives the sources of a port their turns, as long as there is room and they have something to say. */
    void giveLastTurns(LossyPort port) {
        Packet last = new Packet();
        boolean found = true;
        while (found && !inFlight.isFull()) {
            found = false;
            for (int sources = ready.size(); sources > 0; sources--) {
                PacketSource source = ready.removeFirst();
                if (!inFlight.isFull() && source.link() instanceof LossyLink link && link.isOf(port)) {
                    giveTurn(source, last);
                    found = true;
                } else {
                    ready.addLast(source);
                }
            }
        }
    }

    /** Makes one step; false, and nothing happened, if there is none that is due by {@code untilNanos}. */
    boolean step(long untilNanos) {
        if (doorbells.answerAll()) {
            return true;
        }
        long arrivalNanos = inFlight.nextArrivalNanos();
        if (arrivalNanos <= clock.nanoTime()) {
            inFlight.land();
            return true;
        }
        if (giveTurn()) {
            return true;
        }
        long timerNanos =
                timers.nextDeadlineNanos(arrivalNanos == SteppedLane.NEVER && untilNanos == SteppedLane.NEVER);
        long nextNanos = Math.min(arrivalNanos, timerNanos);
        if (nextNanos == SteppedLane.NEVER || nextNanos > untilNanos) {
            return false;
        }
        clock.advanceTo(nextNanos);
        if (arrivalNanos <= timerNanos) {
            inFlight.land();
        } else {
            timers.expireDue(clock.nanoTime());
        }
        return true;
    }

    private boolean giveTurn() {
        PacketSource source = inFlight.isFull() ? null : ready.pollFirst();
        if (source == null) {
            return false;
        }
        giveTurn(source, outgoing);
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // a link is its identity
    private void giveTurn(PacketSource source, Packet packet) {
        try {
            Link over = source.link();
            if (source.pull(packet)) {
                if (source.link() == over) {
                    ready.addLast(source);
                }
                if (over instanceof LossyLink link) {
                    link.send(packet);
                }
            }
        } catch (RuntimeException | Error e) {
            source.failed(e);
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.util.Arrays;

/** The timers of one lane: a binary heap in which a timer that was disarmed or moved later stays where it was. */
public final class TimerQueue {

    private static final int INITIAL_ROOM = 16;

    private LaneTimer[] heap = new LaneTimer[INITIAL_ROOM];
    private final boolean byAge;
    private int size;
    private long nextArming;

    /** An empty queue; timers of one deadline expire as they were armed. */
    public TimerQueue() {
        this(false);
    }

    private TimerQueue(boolean byAge) {
        this.byAge = byAge;
    }

    /** An empty queue; timers of one deadline expire as they were made, whichever was armed first. */
    public static TimerQueue byAge() {
        return new TimerQueue(true);
    }

    /** Sets or moves a timer; whether it is now queued before all others. */
    public boolean arm(LaneTimer timer, long deadlineNanos) {
        timer.armed = true;
        timer.deadlineNanos = deadlineNanos;
        timer.arming = nextArming++;
        timer.order = byAge ? timer.age : timer.arming;
        if (timer.slot == LaneTimer.NOT_QUEUED) {
            insert(timer);
        } else if (deadlineNanos < timer.queuedNanos) {
            queueAsArmed(timer);
            siftUp(timer, timer.slot);
        }
        return timer.slot == 0;
    }

    /** Disarms a timer and lets go of it. */
    public void forget(LaneTimer timer) {
        timer.disarm();
        if (timer.slot != LaneTimer.NOT_QUEUED) {
            remove(timer.slot);
        }
    }

    /**
     * Expires the timers whose deadline is at or before {@code nowNanos}, by deadline, those of one deadline as they were
     * armed or made; whether there were any. What they arm while they expire waits for the next call, even if it is due.
     */
    public boolean expireDue(long nowNanos) {
        long firstArmedMeanwhile = nextArming;
        boolean any = false;
        while (mendHead() && heap[0].deadlineNanos <= nowNanos && heap[0].arming < firstArmedMeanwhile) {
            LaneTimer timer = heap[0];
            remove(0);
            timer.armed = false;
            timer.expire(nowNanos);
            any = true;
        }
        return any;
    }

    /** Deadline of the timer that expires next; {@link Long#MAX_VALUE} if there is none. */
    public long nextDeadlineNanos() {
        return mendHead() ? heap[0].deadlineNanos : Long.MAX_VALUE;
    }

    /** Puts timers that were disarmed or moved later to their places until the first is in its own; false if none is left. */
    private boolean mendHead() {
        while (size > 0) {
            LaneTimer head = heap[0];
            if (!head.armed) {
                remove(0);
            } else if (head.order == head.queuedOrder && head.deadlineNanos == head.queuedNanos) {
                return true;
            } else {
                queueAsArmed(head);
                siftDown(head, 0);
            }
        }
        return false;
    }

    private void insert(LaneTimer timer) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        queueAsArmed(timer);
        siftUp(timer, size++);
    }

    private static void queueAsArmed(LaneTimer timer) {
        timer.queuedNanos = timer.deadlineNanos;
        timer.queuedOrder = timer.order;
    }

    @SuppressWarnings("NullAway") // a slot at or beyond size holds null, and none of those is read
    private void remove(int slot) {
        heap[slot].slot = LaneTimer.NOT_QUEUED;
        LaneTimer last = heap[--size];
        heap[size] = null;
        if (slot < size) {
            siftDown(last, slot);
            siftUp(last, last.slot);
        }
    }

    private void siftUp(LaneTimer timer, int from) {
        int slot = from;
        while (slot > 0 && isBefore(timer, heap[(slot - 1) / 2])) {
            place(heap[(slot - 1) / 2], slot);
            slot = (slot - 1) / 2;
        }
        place(timer, slot);
    }

    private void siftDown(LaneTimer timer, int from) {
        int slot = from;
        while (2 * slot + 1 < size) {
            int child = 2 * slot + 1;
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], timer)) {
                break;
            }
            place(heap[child], slot);
            slot = child;
        }
        place(timer, slot);
    }

    private void place(LaneTimer timer, int slot) {
        heap[slot] = timer;
        timer.slot = slot;
    }

    private static boolean isBefore(LaneTimer a, LaneTimer b) {
        return a.queuedNanos < b.queuedNanos || (a.queuedNanos == b.queuedNanos && a.queuedOrder < b.queuedOrder);
    }

    @Override
    public String toString() {
        return "timers=" + size;
    }
}

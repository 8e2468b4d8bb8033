// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import java.util.ArrayDeque;

/**
 * Turns of links that have nothing but acknowledgements (ACK-04) to send, and wait for the end of the next step: a program that polls and
 * finds what these acknowledge is likely to post an answer, and then both leave in one write and arrive in one read. On the lane, except
 * for {@link #isPending}.
 */
final class HeldBack {

    private final ArrayDeque<Runnable> turns = new ArrayDeque<>();
    private int ofEarlierSteps;
    private boolean open;
    private boolean openInSteps;
    private volatile boolean pending;

    /** How often any turn was held back. */
    private volatile int times;

    void stepBegins() {
        ofEarlierSteps = turns.size();
        open = openInSteps;
    }

    /** What may wait is held back in the steps that begin from now on, or not. */
    void holdInSteps(boolean hold) {
        openInSteps = hold;
    }

    /** What may wait is held back in this step. */
    void open() {
        open = true;
    }

    boolean isOpen() {
        return open;
    }

    void add(Runnable turn) {
        turns.addLast(turn);
    }

    /** What was held back in earlier steps has its turn now. */
    void release(ArrayDeque<Runnable> sending) {
        for (; ofEarlierSteps > 0; ofEarlierSteps--) {
            sending.addLast(turns.removeFirst());
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only the lane counts
    void stepEnds() {
        boolean any = !turns.isEmpty();
        if (pending != any) {
            pending = any;
        }
        if (any) {
            times++;
        }
    }

    /** Which time it is that something waits. From any thread. */
    int times() {
        return times;
    }

    /** Whether anything waits for another step. From any thread. */
    boolean isPending() {
        return pending;
    }
}

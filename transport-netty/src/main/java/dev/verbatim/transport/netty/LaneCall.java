// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import org.jspecify.annotations.Nullable;

/** Work that one thread gives to the lane and waits for. */
final class LaneCall {

    private final Runnable work;
    private @Nullable Throwable failure;
    private boolean done;

    LaneCall(Runnable work) {
        this.work = work;
    }

    /** Does the work. On the lane. */
    void run() {
        Throwable thrown = null;
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
        synchronized (this) {
            failure = thrown;
            done = true;
            notifyAll();
        }
    }

    /** Waits for the work to be done, also through interrupts, which the thread keeps; throws what the work threw. */
    void join() {
        Throwable thrown = awaitEnd();
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
    }

    private synchronized @Nullable Throwable awaitEnd() {
        boolean interrupted = false;
        while (!done) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return failure;
    }
}

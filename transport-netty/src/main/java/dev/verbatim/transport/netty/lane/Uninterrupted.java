// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import io.netty.util.concurrent.Future;

/** Waits for what the loop will do, also through interrupts, which the thread keeps. */
public final class Uninterrupted {

    private Uninterrupted() {}

    /** Waits until the future is done, well or not. Not on the lane. */
    public static void await(NettyLane lane, Future<?> future) {
        boolean interrupted = false;
        while (!future.isDone()) {
            try {
                lane.await(future, Long.MAX_VALUE);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Resolution;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The outcome of a dial, for a thread that waits for it. */
final class AwaitedPeer implements Resolution {

    private final CompletableFuture<Gid> outcome = new CompletableFuture<>();

    @Override
    public void found(Gid peer) {
        outcome.complete(peer);
    }

    @Override
    public void failed(VerbsException reason) {
        outcome.completeExceptionally(reason);
    }

    /**
     * Waits for the outcome. Not on the lane.
     *
     * @param giveUp gives up, on the lane, and reports that to this; called if the time is over and the lane has not reported it
     * @throws VerbsException with the reason if there is no peer, EINTR if the thread was interrupted
     */
    Gid await(NettyLane lane, long timeoutNanos, Runnable giveUp) {
        try {
            if (!lane.await(outcome, timeoutNanos)) {
                lane.call(giveUp);
            }
            return outcome.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof VerbsException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            lane.call(giveUp);
            Thread.currentThread().interrupt();
            throw VerbsException.of(Errno.EINTR, Rule.NT_06, "the dialling thread was interrupted");
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import dev.verbatim.cli.soak.account.Ledger;
import dev.verbatim.cli.soak.account.RequestId;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;

/**
 * A completion queue. Half of them are polled by one thread at a time, so that the order in which things complete is seen; the others
 * by whoever comes.
 */
public final class TrackedCq {

    private final SoakState world;
    private final CompletionQueue cq;
    private final boolean small;
    private final boolean ordered;
    private volatile boolean broken;

    public TrackedCq(SoakState world, CompletionQueue cq, boolean small, boolean ordered) {
        this.world = world;
        this.cq = cq;
        this.small = small;
        this.ordered = ordered;
    }

    public CompletionQueue cq() {
        return cq;
    }

    /** Whether it may be overrun. */
    public boolean isSmall() {
        return small;
    }

    /** Whether it was overrun (CQ-03). */
    public boolean isBroken() {
        return broken;
    }

    /** Polls once; how many. */
    public int poll(WorkCompletion[] holders) {
        if (ordered) {
            synchronized (this) {
                return take(holders);
            }
        }
        return take(holders);
    }

    private int take(WorkCompletion[] holders) {
        long pollNanos = System.nanoTime();
        int count;
        try {
            count = cq.poll(holders);
        } catch (VerbsException e) {
            if (e.errno() == Errno.EIO) {
                broken = true;
            }
            throw e;
        }
        for (int i = 0; i < count; i++) {
            record(holders[i], pollNanos);
        }
        return count;
    }

    private void record(WorkCompletion completion, long pollNanos) {
        Ledger ledger = world.ledgerOf(completion.id());
        if (ledger == null) {
            world.failures()
                    .add(
                            java.util.List.of(),
                            "%s was polled, but %s was not posted",
                            completion,
                            RequestId.describe(completion.id()));
        } else {
            world.figures()
                    .statuses
                    .add(ledger.label() + " " + completion.status().name());
            ledger.completed(completion, pollNanos, ordered);
        }
    }
}

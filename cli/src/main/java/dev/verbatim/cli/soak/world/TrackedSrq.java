// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import dev.verbatim.cli.soak.account.Discards;
import dev.verbatim.cli.soak.account.Ledger;
import dev.verbatim.cli.soak.account.QueueHistory;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

/** A shared receive queue whose every receive is accounted for. */
public final class TrackedSrq {

    private final Side side;
    private final ProtectionDomain pd;
    private final SharedReceiveQueue srq;
    private final Discards discards = new Discards();
    private final QueueHistory history;
    private final Ledger receives;
    private final AtomicInteger endsOfUsers = new AtomicInteger();

    public TrackedSrq(Side side, ProtectionDomain pd, SharedReceiveQueue srq) {
        this.side = side;
        this.pd = pd;
        this.srq = srq;
        this.history = side.world().history();
        this.receives = side.world()
                .ledger(
                        Ledger.Kind.SHARED_RECEIVES,
                        "shared receive queue of " + side,
                        0,
                        false,
                        new Ledger.Watch(discards, history));
    }

    public ProtectionDomain pd() {
        return pd;
    }

    public SharedReceiveQueue srq() {
        return srq;
    }

    /** A queue pair that uses it was reset or destroyed, perhaps with a receive that it had taken. */
    void userEnded() {
        endsOfUsers.incrementAndGet();
    }

    public boolean isXrc() {
        return srq.initAttributes().xrcDomain() != null;
    }

    public void postReceives(Worker worker, int count, LongFunction<ReceiveWorkRequest> maker) {
        TrackedQp.postReceives(receives, worker, count, maker, srq::postRecv, srq::postRecv);
    }

    /** Destroys it, if the device lets it. */
    public void close() {
        long beginNanos = System.nanoTime();
        srq.close();
        long closedNanos = System.nanoTime();
        discards.add(beginNanos, closedNanos);
        history.mark("destroyed", "");
        side.world().retireLater(receives);
    }

    /**
     * Finds out how many receives are in it, by filling it up: those that are neither there nor completed must have been taken by
     * queue pairs that were reset since, each of which takes one at a time.
     */
    public void audit() {
        int outstanding = receives.outstanding();
        int room = 0;
        try {
            for (; room <= srq.query().maxWr(); room++) {
                srq.postRecv(ReceiveWorkRequest.of(-1));
            }
        } catch (VerbsException full) {
            if (full.errno() != Errno.ENOMEM) {
                throw full;
            }
        }
        int present = srq.query().maxWr() - room;
        int lost = outstanding - present;
        if (lost < 0 || lost > endsOfUsers.get()) {
            side.world()
                    .failures()
                    .add(
                            history.lines(),
                            "a shared receive queue of %s has %d receives where %d are outstanding and %d queue pairs may"
                                    + " have ended with one each [SRQ-02, SRQ-07]",
                            side,
                            present,
                            outstanding,
                            endsOfUsers.get());
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.lock;

import dev.verbatim.RcPeer;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;

/** A lock in a word of a server's memory, and a counter that it protects. All of it is done by the clients; no program of the server runs. */
final class Lock {

    /** How a client gives the lock back, behind its WRITE of the counter. */
    enum Release {
        /** By a compare-and-swap: the responder executes an atomic behind the WRITEs before it, and they are visible with it [ORD-31]. */
        BY_ATOMIC,
        /** By a WRITE of 0: the planted mistake, since the bytes of two WRITEs may be placed in any order [ORD-34]. */
        BY_WRITE
    }

    static final int FREE = 0;

    /** Words of the server's memory. */
    static final int OWNER = 0, COUNTER = 8;

    /** Words of the client's memory. */
    private static final int SEEN = 0, VALUE = 8, ZERO = 16;

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final RcPeer here;
    private final long server;
    private final int rkey, client;

    /** The lock as one client uses it; the number of the client is not 0. */
    Lock(RcPeer here, long server, int rkey, int client) {
        this.here = here;
        this.server = server;
        this.rkey = rkey;
        this.client = client;
    }

    /** Tries until the lock is free. */
    void acquire() {
        do {
            post(SendWorkRequest.compareAndSwap(1, server + OWNER, rkey, FREE, client, here.sge(SEEN, 8)));
        } while (here.memory().buffer().getLong(SEEN) != FREE);
    }

    /** Adds 1 to the counter by a READ and a WRITE, as whoever holds the lock may, and releases the lock. */
    void incrementAndRelease(Release release) {
        post(SendWorkRequest.read(2, server + COUNTER, rkey, here.sge(VALUE, 8)));
        here.memory().buffer().putLong(VALUE, here.memory().buffer().getLong(VALUE) + 1);
        here.qp().postSend(SendWorkRequest.write(3, server + COUNTER, rkey, here.sge(VALUE, 8)).unsignaled());
        post(
                release == Release.BY_ATOMIC
                        ? SendWorkRequest.compareAndSwap(4, server + OWNER, rkey, client, FREE, here.sge(SEEN, 8))
                        : SendWorkRequest.write(4, server + OWNER, rkey, here.sge(ZERO, 8)));
    }

    private void post(SendWorkRequest request) {
        here.qp().postSend(request);
        WorkCompletion completion = here.sent().awaitCompletion(PATIENCE);
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.explanation());
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;

/** A source of events that dispatches each to the object concerned: completion events, or events of connections. */
interface Dispatcher {

    /** Dispatches the events that are there; never waits, and lets the device make no progress. */
    void dispatch();

    /**
     * Waits for one event and dispatches it, in a simulation.
     *
     * @param patience how long it waits at most
     * @return whether an event came
     * @throws VerbsException EINTR if the thread was interrupted, EINVAL or EIO if the device is gone
     */
    boolean await(Duration patience);

    /** A program is about to wait for events, in real time; tools that watch the device are told if there are none. */
    default void tellOfWait() {}

    /**
     * What a wait that ended without an event means here.
     *
     * @return false if its time was over
     * @throws VerbsException any other end
     */
    static boolean timedOut(VerbsException end) {
        if (end.errno() != Errno.ETIMEDOUT) {
            throw end;
        }
        return false;
    }
}

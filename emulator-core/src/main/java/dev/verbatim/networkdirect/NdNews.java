// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;

/** Where an adapter hears of what its objects wait for: completion events, and events of connections. */
interface NdNews {

    /** Takes what is there and hands it to the objects concerned; moves nothing on, and never waits. */
    void take();

    /**
     * Waits for something, for so long at most, and hands it to the objects concerned.
     *
     * @return whether something came
     * @throws VerbsException EINTR if the thread was interrupted, EINVAL or EIO if the device is gone
     */
    boolean park(Duration patience);

    /**
     * What a wait that ended without an event means here.
     *
     * @return false if its time was over
     */
    static boolean timedOut(VerbsException end) {
        if (end.errno() != Errno.ETIMEDOUT) {
            throw end;
        }
        return false;
    }
}

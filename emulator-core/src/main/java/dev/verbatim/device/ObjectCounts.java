// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;

/** How many objects of each kind a device has: it is closed only when there are none left that are its own (PD-07). */
record ObjectCounts(
        int domains,
        int completionQueues,
        int channels,
        int deviceMemories,
        int xrcDomains,
        int queuePairs,
        int sharedQueues,
        int regions,
        int windows,
        int addressHandles) {

    /** Refuses to go on as long as there are some that others are not made from. */
    void requireNone(String device) {
        if (domains + completionQueues + channels + deviceMemories + xrcDomains > 0) {
            throw VerbsException.of(
                    Errno.EBUSY,
                    Rule.PD_07,
                    "device %s has protection domains=%d completion queues=%d channels=%d device memories=%d xrc domains=%d queue pairs=%d"
                            + " shared receive queues=%d regions=%d windows=%d address handles=%d; close them first",
                    device,
                    domains,
                    completionQueues,
                    channels,
                    deviceMemories,
                    xrcDomains,
                    queuePairs,
                    sharedQueues,
                    regions,
                    windows,
                    addressHandles);
        }
    }
}

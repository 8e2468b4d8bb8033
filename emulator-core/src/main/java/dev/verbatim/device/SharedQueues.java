// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;

/** The shared receive queues of a device. On the lane. */
final class SharedQueues {

    private static final int LAST_NUMBER = (1 << 24) - 1;

    private final EmulatedDevice device;
    private final NumberedTable<EmulatedSharedReceiveQueue> queues = new NumberedTable<>(1, LAST_NUMBER);

    SharedQueues(EmulatedDevice device) {
        this.device = device;
    }

    EmulatedSharedReceiveQueue create(EmulatedProtectionDomain pd, SrqInitAttributes attributes) {
        DeviceLimits limits = device.profile().limits();
        SrqChecks.checkSizes(limits, attributes.attributes());
        if (attributes.xrcDomain() != null || attributes.cq() != null) {
            throw VerbsException.of(Errno.EOPNOTSUPP, "XRC-01", "XRC is not supported yet");
        }
        device.requireRoom("max_srq", "SRQ-01", queues.size(), limits.maxSrq());
        device.decided(0, "SRQ-01");
        int number = queues.nextFree();
        EmulatedSharedReceiveQueue queue = new EmulatedSharedReceiveQueue(pd, number, attributes);
        queues.put(number, queue);
        return queue;
    }

    int count() {
        return queues.size();
    }

    void release(EmulatedSharedReceiveQueue queue) {
        queues.remove(queue.tableNumber());
        device.forgetEventsAbout(queue);
    }

    /** The device goes. */
    void destroyAll() {
        queues.forEach(EmulatedSharedReceiveQueue::destroy);
    }
}

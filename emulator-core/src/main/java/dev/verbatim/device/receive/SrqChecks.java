// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.VerbsException;

/** Which sizes and limits a shared receive queue can have (SRQ-01, SRQ-04, SRQ-05). */
public final class SrqChecks {

    private static final int ALL = SrqAttributes.MAX_WR | SrqAttributes.LIMIT;

    private SrqChecks() {}

    public static int capabilities(DeviceProfile profile) {
        return profile.srqResize() ? DeviceCapabilities.SRQ_RESIZE : 0;
    }

    static void checkSizes(DeviceLimits limits, SrqAttributes asked) {
        inRange(Rule.SRQ_01, "max_wr", asked.maxWr(), 1, limits.maxSrqWr());
        inRange(Rule.SRQ_01, "max_sge", asked.maxSge(), 0, limits.maxSrqSge());
    }

    /** Refuses what cannot be, with the limit that is armed if it is not to be changed. */
    static void checkModify(DeviceProfile profile, ReceiveQueue queue, SrqAttributes asked, int mask, int armed) {
        if ((mask & ~ALL) != 0) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.SRQ_05, "srq_attr_mask=0x%x has bits besides MAX_WR=1 and LIMIT=2", mask);
        }
        boolean resizes = (mask & SrqAttributes.MAX_WR) != 0;
        if (resizes) {
            checkResize(profile, queue, asked.maxWr());
        }
        int capacity = resizes ? asked.maxWr() : queue.capacity();
        int limit = (mask & SrqAttributes.LIMIT) != 0 ? asked.limit() : armed;
        inRange(Rule.SRQ_04, "srq_limit", limit, 0, capacity);
    }

    private static void checkResize(DeviceProfile profile, ReceiveQueue queue, int maxWr) {
        if (capabilities(profile) == 0) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP,
                    Rule.SRQ_05,
                    "profile %s has no SRQ_RESIZE; make the queue large enough",
                    profile);
        }
        inRange(Rule.SRQ_05, "max_wr", maxWr, 1, profile.limits().maxSrqWr());
        if (maxWr < queue.size()) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.SRQ_05, "max_wr=%d < %d receives that are in the queue", maxWr, queue.size());
        }
    }

    private static void inRange(Rule rule, String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw VerbsException.of(Errno.EINVAL, rule, "%s=%d is not in %d..%d", name, value, least, most);
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.GrantedSizes;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** What is checked before a completion queue comes to be (CQ-01), or has another size (CQ-02). */
public final class CqCreation {

    private CqCreation() {}

    static void checkEntries(DeviceLimits limits, Rule rule, int entries) {
        int most = limits.maxCqe();
        if (entries < 1 || entries > most) {
            throw VerbsException.of(Errno.EINVAL, rule, "cqe=%d is not in 1..%d", entries, most);
        }
    }

    /** Refuses a size that has no room for the completions that wait to be polled. */
    static void checkRoom(EmulatedCompletionQueue cq, int entries, long waiting) {
        if (waiting > entries) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.CQ_02,
                    "cqe=%d is less than the %d completions that wait in %s; poll them first",
                    entries,
                    waiting,
                    cq);
        }
    }

    /** The completion queue of this device that a program names for a queue pair or a shared receive queue (QP-04). */
    public static EmulatedCompletionQueue own(DeviceContext device, CompletionQueue cq) {
        if (cq instanceof EmulatedCompletionQueue candidate && candidate.isOf(device)) {
            if (!candidate.isOpen()) {
                throw VerbsException.of(Errno.EINVAL, Rule.QP_04, "%s was destroyed before", cq);
            }
            return candidate;
        }
        throw VerbsException.of(Errno.EINVAL, Rule.QP_04, "%s is not a completion queue of %s", cq, device);
    }

    /** How many entries a queue has that was asked for with so many. */
    static int granted(DeviceProfile profile, int asked) {
        return GrantedSizes.queue(profile, asked, profile.limits().maxCqe());
    }

    static void checkVector(DeviceLimits limits, int completionVector) {
        if (completionVector < 0 || completionVector >= limits.completionVectors()) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.CQ_01,
                    "comp_vector=%d is not in 0..%d",
                    completionVector,
                    limits.completionVectors() - 1);
        }
    }

    /** Whether completions are to have a timestamp, which is all that they can have beside the usual. */
    static boolean isStamped(int fields) {
        if ((fields & ~CompletionQueue.WITH_TIMESTAMP) != 0) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP,
                    Rule.CQ_06,
                    "fields=0x%x has others than WITH_TIMESTAMP=0x%x",
                    fields,
                    CompletionQueue.WITH_TIMESTAMP);
        }
        return fields != 0;
    }

    static @Nullable EmulatedCompletionChannel own(DeviceContext device, @Nullable CompletionChannel channel) {
        if (channel == null) {
            return null;
        }
        if (channel instanceof EmulatedCompletionChannel candidate && candidate.device() == device) {
            return candidate;
        }
        throw VerbsException.of(Errno.EINVAL, Rule.CQ_01, "the completion channel is not of device %s", device.name());
    }
}

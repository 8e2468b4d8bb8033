// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;

/** How many entries a queue gets that was asked for: at least as many (QP-02, CQ-01, SRQ-01). */
public final class GrantedSizes {

    private GrantedSizes() {}

    /** What an element takes in a request, and inline data in its place. */
    private static final int ELEMENT_BYTES = 16;

    /** Throws ENOMEM if so many objects are in use as the limit has. */
    public static void requireRoom(String limit, Rule rule, int used, int most) {
        if (used >= most) {
            throw VerbsException.of(
                    Errno.ENOMEM, rule, "%s=%d are in use; free some or choose larger limits", limit, most);
        }
    }

    /**
     * So many elements of a send and so much inline data; where they share their room, as much of each as the room for the other holds,
     * as long as it is not above the limit.
     */
    public static QpCapabilities sendRoom(DeviceProfile profile, QpCapabilities asked) {
        if (!profile.elementsHoldInline()) {
            return asked;
        }
        DeviceLimits limits = profile.limits();
        int elements = Math.max(asked.maxSendSge(), asked.maxInlineDataBytes() / ELEMENT_BYTES);
        int inlineBytes = Math.max(asked.maxInlineDataBytes(), asked.maxSendSge() * ELEMENT_BYTES);
        return new QpCapabilities(
                asked.maxSendWr(),
                asked.maxRecvWr(),
                Math.min(limits.maxSge(), elements),
                asked.maxRecvSge(),
                Math.min(limits.maxInlineDataBytes(), inlineBytes));
    }

    /** So many, or where the device rounds up one less than a power of two, as long as it is not above the limit. */
    public static int queue(DeviceProfile profile, int asked, int most) {
        if (!profile.roundsUpQueues()) {
            return asked;
        }
        return Math.min(most, (Integer.highestOneBit(Math.max(asked, 1)) << 1) - 1);
    }
}

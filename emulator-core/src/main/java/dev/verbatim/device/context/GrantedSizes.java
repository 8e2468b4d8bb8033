// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;

/** How many entries a queue gets that was asked for: at least as many (QP-02, CQ-01, SRQ-01). */
public final class GrantedSizes {

    private GrantedSizes() {}

    private static final int ELEMENTS_OF_A_UNIT = 4;

    /** Throws ENOMEM if so many objects are in use as the limit has. */
    public static void requireRoom(String limit, Rule rule, int used, int most) {
        if (used >= most) {
            throw VerbsException.of(
                    Errno.ENOMEM, rule, "%s=%d are in use; free some or choose larger limits", limit, most);
        }
    }

    /** So many elements of a send, or where the device rounds up the next multiple of four, as long as it is not above the limit. */
    public static int sendElements(DeviceProfile profile, int asked, int most) {
        if (!profile.roundsUpSendElements()) {
            return asked;
        }
        return Math.min(most, (asked + ELEMENTS_OF_A_UNIT - 1) / ELEMENTS_OF_A_UNIT * ELEMENTS_OF_A_UNIT);
    }

    /** So many, or where the device rounds up one less than a power of two, as long as it is not above the limit. */
    public static int queue(DeviceProfile profile, int asked, int most) {
        if (!profile.roundsUpQueues()) {
            return asked;
        }
        return Math.min(most, (Integer.highestOneBit(Math.max(asked, 1)) << 1) - 1);
    }
}

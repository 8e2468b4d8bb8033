// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.profile.DeviceProfile;

/** How many bytes the elements of an atomic may have for its result of 8 (WR-34). */
public final class AtomicSize {

    private AtomicSize() {}

    /** Whether the device does such an atomic. */
    public static boolean isLegal(DeviceProfile profile, long lengthBytes) {
        return lengthBytes == Long.BYTES
                || (lengthBytes > Long.BYTES && profile.posting().lenientAtomicSize());
    }
}

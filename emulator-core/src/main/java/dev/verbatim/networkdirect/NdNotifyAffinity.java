// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

/** Where completions were asked to be announced: remembered and told, for programs that look. */
record NdNotifyAffinity(int group, long mask) {

    NdStatus tell(NdSize groupOut, NdAffinity maskOut) {
        groupOut.value(group);
        maskOut.mask(mask);
        return NdStatus.SUCCESS;
    }
}

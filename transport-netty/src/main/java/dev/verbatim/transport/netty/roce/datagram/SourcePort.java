// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.datagram;

/** The UDP source port of a flow, by the formula of Linux's soft-RoCE, so that switches spread flows over paths. */
public final class SourcePort {

    private static final int FIRST = 0xc000;
    private static final int LOW_14_BITS = 0x3fff;
    private static final int LOW_20_BITS = 0xf_ffff;
    private static final int FOLD_BITS = 14;

    private SourcePort() {}

    /** The port of a flow; a flow label other than 0 takes the place of the numbers of the queue pairs. */
    public static int of(int localQp, int remoteQp, int flowLabel) {
        long mixed = (long) localQp * remoteQp;
        mixed ^= mixed >>> 20;
        mixed ^= mixed >>> 40;
        int label = flowLabel == 0 ? (int) mixed & LOW_20_BITS : flowLabel;
        return FIRST | ((label & LOW_14_BITS) ^ (label >> FOLD_BITS));
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.PathMtu;

/** How both sides are set up. */
public final class QpSettings {

    static final int CQ_ENTRIES = 1 << 14;
    static final int RECEIVES = 1;
    static final int ELEMENTS = 1;
    static final int INLINE_BYTES = 0;
    public static final int FIRST_PSN = 1;
    static final int ALL_RIGHTS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** Half a second until a packet is sent again: a busy machine is not to look like a wire that loses packets. */
    private static final int TIMEOUT = 17;

    /** READs and atomics outstanding: as many as the default profile permits. */
    private static final int RESPONSES = DeviceLimits.DEFAULT.maxQpInitRdAtom();

    static final RcConnection CONNECTION = new RcConnection(
            PathMtu.MTU_4096,
            RcConnection.USUAL.access(),
            RESPONSES,
            TIMEOUT,
            RcConnection.USUAL.retryCount(),
            RcConnection.USUAL.rnrRetry(),
            RcConnection.USUAL.minRnrTimer());

    private QpSettings() {}
}

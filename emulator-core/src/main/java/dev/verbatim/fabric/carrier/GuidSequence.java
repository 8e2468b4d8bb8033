// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric.carrier;

import java.util.concurrent.atomic.AtomicLong;

/** Node GUIDs counted from 1, locally administered: for fabrics that know all their devices. */
public final class GuidSequence {

    private static final long LOCALLY_ADMINISTERED = 0x0200_0000_0000_0000L;

    private final AtomicLong last = new AtomicLong(LOCALLY_ADMINISTERED);

    /** A GUID that was not given before. */
    public long next() {
        return last.incrementAndGet();
    }
}

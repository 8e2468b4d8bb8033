// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.util.List;

/** A timer that writes its name into a list when it expires. */
final class RecordingTimer extends LaneTimer {
    private final String name;
    private final List<String> expired;

    RecordingTimer(String name, List<String> expired) {
        this.name = name;
        this.expired = expired;
    }

    @Override
    protected void expire(long nowNanos) {
        expired.add(name);
    }
}

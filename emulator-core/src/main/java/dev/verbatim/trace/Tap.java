// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

/**
 * Receives the events of a device when they happen. Called on the device's lane: must not block, and should be fast.
 */
@FunctionalInterface
public interface Tap {

    /** Called for each event. */
    void on(TraceEvent event);

    /** Returns a tap that passes each event to this tap, then to the other. */
    default Tap and(Tap other) {
        return event -> {
            on(event);
            other.on(event);
        };
    }
}

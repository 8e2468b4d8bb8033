// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

/** Sees what a device does, as it does it. Called on the device's lane: it must not wait, and should be quick. */
@FunctionalInterface
public interface Tap {

    /** Something happened. */
    void on(TraceEvent event);

    /** Both of them: this sees each event first, then the other. */
    default Tap and(Tap other) {
        return event -> {
            on(event);
            other.on(event);
        };
    }
}

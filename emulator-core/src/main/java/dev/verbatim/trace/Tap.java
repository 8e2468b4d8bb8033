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

    /**
     * Whether it wants events at present. Devices ask before they make one, as often as they like; what happens while it is not so is not
     * told later.
     */
    default boolean isListening() {
        return true;
    }

    /** Returns a tap that passes each event to this tap, then to the other. */
    default Tap and(Tap other) {
        Tap first = this;
        return new Tap() {
            @Override
            public void on(TraceEvent event) {
                first.on(event);
                other.on(event);
            }

            @Override
            public boolean isListening() {
                return first.isListening() || other.isListening();
            }

            @Override
            public String toString() {
                return first + ", then " + other;
            }
        };
    }
}

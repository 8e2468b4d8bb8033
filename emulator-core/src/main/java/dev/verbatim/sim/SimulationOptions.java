// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.profile.DeviceProfile;

/**
 * What a {@link Simulation} is like. What it may do is said by its {@link Schedule}; a fault whose point is off there never
 * happens, whatever its odds.
 *
 * @param faults how often links fail; their latency does not count, since the schedule decides when packets arrive
 * @param profile of devices that are opened without one
 * @param tickNanos how much time each event takes, from 0; with 0 only waiting for timers takes time, and runs do not differ
 *     by the order in which time passed, which exploration needs
 * @param mostEvents how many events may happen in all
 */
public record SimulationOptions(LinkFaults faults, DeviceProfile profile, long tickNanos, long mostEvents) {

    private static final long MANY_EVENTS = 10_000_000;

    /** Links that do not fail, strict devices, 100 ns for an event, ten million events. */
    public static final SimulationOptions USUAL =
            new SimulationOptions(LinkFaults.NONE, DeviceProfile.STRICT_IBTA, 100, MANY_EVENTS);

    /** The same, but that events take no time. */
    public static final SimulationOptions TIMELESS = USUAL.withTickNanos(0);

    /** Checks the ranges. */
    public SimulationOptions {
        if (tickNanos < 0 || mostEvents < 1) {
            throw new IllegalArgumentException("tickNanos=" + tickNanos + " < 0 or mostEvents=" + mostEvents
                    + " < 1; time does not run backwards, and something has to happen");
        }
    }

    /** The same with links that fail like this. */
    public SimulationOptions withFaults(LinkFaults chosen) {
        return new SimulationOptions(chosen, profile, tickNanos, mostEvents);
    }

    /** The same with devices of this profile. */
    public SimulationOptions withProfile(DeviceProfile chosen) {
        return new SimulationOptions(faults, chosen, tickNanos, mostEvents);
    }

    /** The same with events that take so much time. */
    public SimulationOptions withTickNanos(long nanos) {
        return new SimulationOptions(faults, profile, nanos, mostEvents);
    }

    /** The same with another bound on events. */
    public SimulationOptions withMostEvents(long most) {
        return new SimulationOptions(faults, profile, tickNanos, most);
    }
}

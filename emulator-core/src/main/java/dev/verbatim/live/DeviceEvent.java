// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import dev.verbatim.trace.TraceEvent;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import org.jspecify.annotations.Nullable;

/** What all events of Flight Recorder have: the device, the queue pair, and the time of the device's own clock. */
abstract class DeviceEvent extends Event {

    @Label("Device")
    @Nullable
    String device;

    @Label("Queue Pair")
    @Description("Number of the queue pair; 0 for none")
    int qp;

    @Label("Device Time")
    @Description("Nanoseconds by the clock of the device")
    long deviceNanos;

    /** Takes over what all have, and commits if a recording wants it. */
    final void commit(TraceEvent event) {
        device = event.device();
        qp = event.qp();
        deviceNanos = event.timeNanos();
        commit();
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.event;

/** What events may be about: a queue pair, a completion queue, a shared receive queue. */
public interface EventElement {

    /** How many of its events a program has and owes an acknowledgement for. */
    EventDebt eventDebt();

    /** The number under which a trace shows its events: that of a queue pair, or 0. */
    default int tracedQp() {
        return 0;
    }

    /** The number of the shared receive queue that a trace shows with its events; 0 for none. */
    default int tracedSrq() {
        return 0;
    }
}

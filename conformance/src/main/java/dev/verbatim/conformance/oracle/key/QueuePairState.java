// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.key;

import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.verbs.QpState;

/** Which queue pair of which device, its state and its transport, as in the trace; without its requests. */
public final class QueuePairState {

    private final String device;
    private final int number;
    private final String name;
    private QpState state = QpState.RESET;
    private long stateSince = -1;
    private boolean known;
    private boolean unreliable;
    private boolean reliable;
    private boolean xrc;

    public QueuePairState(String device, int number) {
        this.device = device;
        this.number = number;
        this.name = Text.of("%s/0x%x", device, number);
    }

    /** Name of its device. */
    public String device() {
        return device;
    }

    public int number() {
        return number;
    }

    public QpState state() {
        return state;
    }

    /** Where in the trace it came into its state; -1 if that was before. */
    public long stateSince() {
        return stateSince;
    }

    /** It is in that state from a position in the trace on. */
    public void changed(QpState to, long position) {
        state = to;
        stateSince = position;
    }

    /** Whether the trace has its whole life since its last RESET. */
    public boolean isKnown() {
        return known;
    }

    /** The trace has it from RESET on. */
    public void knownFromReset() {
        known = true;
    }

    /** Its packets are of that transport. */
    public void speaks(String transport) {
        unreliable = transport.equals("UC") || transport.equals("UD");
        reliable = !unreliable;
        xrc |= transport.equals("XRC");
    }

    /** Whether nothing of what it sends or receives is acknowledged: UC and UD. */
    public boolean isUnreliable() {
        return unreliable;
    }

    /** Whether it takes receives of whatever shared queue a request names. */
    public boolean isXrc() {
        return xrc;
    }

    /** Whether requests may fail in its state: in ERR, and in SQE too unless it is known to be of a type that has none (QS-06). */
    public boolean isStopped() {
        return state == QpState.ERR || (state == QpState.SQE && !reliable);
    }

    @Override
    public String toString() {
        return name;
    }
}

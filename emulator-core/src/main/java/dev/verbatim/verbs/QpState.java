// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** State of a queue pair ({@code enum ibv_qp_state}). */
public enum QpState {
    RESET(0),
    INIT(1),
    RTR(2),
    RTS(3),
    SQD(4),
    SQE(5),
    ERR(6);

    private final int number;

    QpState(int number) {
        this.number = number;
    }

    /** The value in the C binary interface. */
    public int number() {
        return number;
    }

    /** Whether the queue pair processes inbound packets in this state (D.3). */
    public boolean receives() {
        return this == RTR || this == RTS || this == SQD || this == SQE;
    }
}

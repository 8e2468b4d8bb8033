// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

/**
 * A queue pair in one of its lives, which RESET and destruction end. A window of type 2 is tied to it, and not to a number
 * that another may have next (MW-94, MW-95, MW-96).
 */
public final class QpIdentity {

    private final PdIdentity pd;
    private final int qpNumber;
    private int windows;
    private boolean over;

    public QpIdentity(PdIdentity pd, int qpNumber) {
        this.pd = pd;
        this.qpNumber = qpNumber;
    }

    public PdIdentity pd() {
        return pd;
    }

    public int qpNumber() {
        return qpNumber;
    }

    /** How many windows are bound to it. */
    public int windows() {
        return windows;
    }

    public void countWindows(int change) {
        windows += change;
    }

    /** The life is over: what is tied to it cannot be reached any more. */
    public void end() {
        over = true;
    }

    public boolean isOver() {
        return over;
    }
}

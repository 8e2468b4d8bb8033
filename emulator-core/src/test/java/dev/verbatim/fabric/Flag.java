// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** A place that becomes ready once and stays so. */
final class Flag extends WaitPoint {
    private boolean raised;
    private int looks;

    @Override
    protected boolean ready() {
        looks++;
        return raised;
    }

    /** How often somebody looked whether it is ready. */
    synchronized int looks() {
        return looks;
    }

    synchronized void raise() {
        raised = true;
        signal();
    }
}

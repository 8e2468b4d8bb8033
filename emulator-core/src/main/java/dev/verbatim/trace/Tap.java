// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

/** Sees what a device does, as it does it. Called on the device's lane: it must not wait, and should be quick. */
@FunctionalInterface
public interface Tap {

    /** Something happened. */
    void on(TraceEvent event);
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.trace.TraceEvent.MemoryTouched;

/** What devices do to memory: S, X and L of the ordering model, each held against the request that it is of. */
final class Effects {

    private final Gathering gathering;
    private final Execution execution;
    private final Atomics atomics;
    private final Landing landing;

    Effects(Findings findings, boolean programsTraced) {
        Attribution attribution = new Attribution(findings);
        ExecutionOrder order = new ExecutionOrder(findings, attribution);
        this.gathering = new Gathering(findings, attribution);
        this.execution = new Execution(findings, attribution, order, programsTraced);
        this.atomics = new Atomics(findings, attribution, order, programsTraced);
        this.landing = new Landing(findings, attribution, atomics, programsTraced);
    }

    void touched(QueuePairModel queuePair, MemoryTouched event, long position) {
        DeviceModel device = queuePair.device();
        KeyLife life = event.key() == 0 ? null : device.keys().life(event.key());
        Touch touch = new Touch(queuePair, event, event.data(), life, position);
        device.keyUse().touched(touch);
        switch (event.effect()) {
            case GATHERED -> gathering.gathered(touch);
            case FETCHED -> execution.fetched(touch);
            case PLACED -> execution.placed(touch);
            case ATOMIC -> atomics.done(touch);
            case RETURNED -> landing.returned(touch);
        }
    }
}

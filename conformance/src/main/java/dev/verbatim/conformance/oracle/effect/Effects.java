// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.effect;

import dev.verbatim.conformance.oracle.key.KeyLife;
import dev.verbatim.conformance.oracle.queue.DeviceModel;
import dev.verbatim.conformance.oracle.queue.MemoryAccess;
import dev.verbatim.conformance.oracle.queue.QueuePairModel;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.trace.TraceEvent.MemoryTouched;

/** What devices do to memory: S, X and L of the ordering model, each held against the request that it is of. */
public final class Effects {

    private final Gathering gathering;
    private final RequestExecution execution;
    private final Atomics atomics;
    private final PlacementCheck landing;

    public Effects(Findings findings, boolean programsTraced) {
        Attribution attribution = new Attribution(findings);
        ExecutionOrder order = new ExecutionOrder(findings, attribution);
        this.gathering = new Gathering(findings, attribution);
        this.execution = new RequestExecution(findings, attribution, order, programsTraced);
        this.atomics = new Atomics(findings, attribution, order, programsTraced);
        this.landing = new PlacementCheck(findings, attribution, atomics, programsTraced);
    }

    public void touched(QueuePairModel queuePair, MemoryTouched event, long position) {
        DeviceModel device = queuePair.device();
        KeyLife life = event.key() == 0 ? null : device.keys().life(event.key());
        MemoryAccess access = new MemoryAccess(queuePair, event, event.data(), life, position);
        device.keyUse().touched(access);
        switch (event.effect()) {
            case GATHERED -> gathering.gathered(access);
            case FETCHED -> execution.fetched(access);
            case PLACED -> execution.placed(access);
            case ATOMIC -> atomics.done(access);
            case RETURNED -> landing.returned(access);
        }
    }
}

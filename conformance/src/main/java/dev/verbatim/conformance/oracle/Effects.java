// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.trace.TraceEvent.MemoryTouched;

/** What devices do to memory: S, X and L of the ordering model, each held against the request that it is of. */
final class Effects {

    private final Findings findings;
    private final Gathering gathering;
    private final Execution execution;
    private final Atomics atomics;
    private final Landing landing;

    Effects(Findings findings, boolean programsTraced) {
        this.findings = findings;
        Attribution attribution = new Attribution(findings);
        ExecutionOrder order = new ExecutionOrder(findings, attribution);
        this.gathering = new Gathering(findings, attribution);
        this.execution = new Execution(findings, attribution, order, programsTraced);
        this.atomics = new Atomics(findings, attribution, order, programsTraced);
        this.landing = new Landing(findings, attribution, atomics, programsTraced);
    }

    void touched(QueuePairModel queuePair, MemoryTouched event, long position) {
        Touch touch = new Touch(queuePair, event, event.data(), position);
        checkKey(touch);
        switch (event.effect()) {
            case GATHERED -> gathering.gathered(touch);
            case FETCHED -> execution.fetched(touch);
            case PLACED -> execution.placed(touch);
            case ATOMIC -> atomics.done(touch);
            case RETURNED -> landing.returned(touch);
        }
    }

    private void checkKey(Touch touch) {
        findings.checked(Check.REVOKED);
        int key = touch.event().key();
        Long revokedAt = key == 0 ? null : touch.queuePair().device().keys().revokedAt(key);
        if (revokedAt != null) {
            findings.violated(
                    Check.REVOKED,
                    Text.of(
                            "%s touches memory at 0x%x (%s) by %s, which was revoked",
                            touch.queuePair(), touch.event().address(), touch.effect(), Text.key(key)),
                    revokedAt,
                    touch.position());
        }
    }
}

// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.demo;

import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.sanitizer.Sanitizer;
import java.net.InetSocketAddress;
import java.util.List;

/** Passes everything on, and at the end what a sanitizer found until then; an error of its is a failure of the demo. */
public final class SanitizedReport implements DemoReport {

    private final Sanitizer sanitizer;
    private final DemoReport next;

    /** What {@code sanitizer} finds is told to {@code next}. */
    public SanitizedReport(Sanitizer sanitizer, DemoReport next) {
        this.sanitizer = sanitizer;
        this.next = next;
    }

    @Override
    public void listening(InetSocketAddress address, String arguments) {
        next.listening(address, arguments);
    }

    @Override
    public void connected(String how, List<SideDescription> sides, List<NarratedEvent> narratedEvents) {
        next.connected(how, sides, narratedEvents);
    }

    @Override
    public void begun(DemoStep step) {
        next.begun(step);
    }

    @Override
    public void ended(DemoStep step, List<NarratedEvent> narratedEvents, List<StepOutcome> outcomes) {
        next.ended(step, narratedEvents, outcomes);
    }

    @Override
    public void finished(boolean asExpected) {
        next.found(sanitizer.findings());
        next.finished(asExpected && sanitizer.errors().isEmpty());
    }
}

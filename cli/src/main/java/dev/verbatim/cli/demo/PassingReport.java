// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.conformance.narration.NarratedEvent;
import dev.verbatim.sanitizer.Finding;
import java.net.InetSocketAddress;
import java.util.List;

/** Passes everything on to another report; a subclass adds something. */
abstract class PassingReport implements DemoReport {

    private final DemoReport next;

    PassingReport(DemoReport next) {
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
    public void closing(boolean asExpected) {
        next.closing(asExpected);
    }

    @Override
    public void found(List<Finding> findings) {
        next.found(findings);
    }

    @Override
    public void finished(DemoEnding ending) {
        next.finished(ending);
    }
}
